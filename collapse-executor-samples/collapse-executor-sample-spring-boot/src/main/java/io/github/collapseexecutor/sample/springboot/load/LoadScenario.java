package io.github.collapseexecutor.sample.springboot.load;

import java.util.ArrayList;
import java.util.List;

/** What is put under load, without and with collapsing, and what collapsing is to achieve there. */
enum LoadScenario {
    SERVLET("Servlet: handler of 100 ms, 200 threads", 400, "/test/", 100, false),
    REST_TEMPLATE("RestTemplate: backend of 0 ms", "rest-template", 0),
    REST_TEMPLATE_20_MS("RestTemplate: backend of 20 ms", "rest-template", 20),
    REST_TEMPLATE_100_MS("RestTemplate: backend of 100 ms", "rest-template", 100),
    REST_CLIENT("RestClient: backend of 0 ms", "rest-client", 0),
    REST_CLIENT_20_MS("RestClient: backend of 20 ms", "rest-client", 20),
    REST_CLIENT_100_MS("RestClient: backend of 100 ms", "rest-client", 100),
    WEB_CLIENT("WebClient: backend of 0 ms", "web-client", 0),
    WEB_CLIENT_20_MS("WebClient: backend of 20 ms", "web-client", 20),
    WEB_CLIENT_100_MS("WebClient: backend of 100 ms", "web-client", 100),
    OK_HTTP("OkHttp: backend of 0 ms", "ok-http", 0),
    OK_HTTP_20_MS("OkHttp: backend of 20 ms", "ok-http", 20),
    OK_HTTP_100_MS("OkHttp: backend of 100 ms", "ok-http", 100),
    DISTINCT_SERVLET("Servlet, every request distinct: handler of 0 ms", 200, "/test/", 0, true),
    DISTINCT_REST_TEMPLATE(
            "RestTemplate, every request distinct: backend of 0 ms", 200, "/front/rest-template/", 0, true),
    DISTINCT_REST_CLIENT("RestClient, every request distinct: backend of 0 ms", 200, "/front/rest-client/", 0, true),
    DISTINCT_WEB_CLIENT("WebClient, every request distinct: backend of 0 ms", 200, "/front/web-client/", 0, true),
    DISTINCT_OK_HTTP("OkHttp, every request distinct: backend of 0 ms", 200, "/front/ok-http/", 0, true);

    // immutable
    private final String title;
    private final int connections;
    private final String folder;
    private final int millis;
    private final boolean distinct;

    /** A client of a front that asks another server. */
    LoadScenario(String title, String client, int millis) {
        this(title, 200, "/front/" + client + "/", millis, false);
    }

    LoadScenario(String title, int connections, String folder, int millis, boolean distinct) {
        this.title = title;
        this.connections = connections;
        this.folder = folder;
        this.millis = millis;
        this.distinct = distinct;
    }

    String title() {
        return title;
    }

    int connections() {
        return connections;
    }

    /** Returns the path, and query, of one request; {@code number} is a different one for each request. */
    String path(LoadWay way, long number) {
        String path = folder + (isFront() ? way.frontPath() : way == LoadWay.OFF ? "noop" : "collapse") + millis;
        return isDistinct() ? path + "?number=" + number : path;
    }

    /** Whether no two requests are alike, so that there is nothing to collapse. */
    boolean isDistinct() {
        return distinct;
    }

    /**
     * Distinct requests show what collapsing costs by default; which calls may be joined makes no difference to them. Virtual
     * threads are for the scenario whose threads are all occupied. A map of futures, and the client alone, are measured where a client makes the calls.
     */
    List<LoadWay> ways() {
        if (isDistinct()) {
            return List.of(LoadWay.OFF, LoadWay.FRESH);
        }
        List<LoadWay> ways = new ArrayList<>(List.of(LoadWay.OFF, LoadWay.FRESH, LoadWay.IN_FLIGHT));
        if (hasVirtualThreads()) {
            ways.add(LoadWay.VIRTUAL_THREADS);
        }
        if (isFront()) {
            ways.add(LoadWay.MAP_OF_FUTURES);
        }
        if (isFront() && millis == 0) {
            ways.add(LoadWay.CONSTANT);
        }
        return List.copyOf(ways);
    }

    private boolean hasVirtualThreads() {
        return this == SERVLET && Runtime.version().feature() >= 21;
    }

    /** Whether the server under load is a front, and the work is done by another behind it. */
    boolean isFront() {
        return folder.startsWith("/front/");
    }

    List<LoadGoal> goals() {
        return switch (this) {
            case SERVLET -> {
                List<LoadGoal> goals = new ArrayList<>(List.of(
                        ratio(LoadWay.FRESH, 1.85),
                        ratio(LoadWay.IN_FLIGHT, 1.95),
                        new LoadGoal("p99 at most 115 ms", r -> p99(r, LoadWay.FRESH) <= 115),
                        runs(35)));
                if (hasVirtualThreads()) {
                    goals.add(ratio(LoadWay.VIRTUAL_THREADS, 1.75));
                }
                yield goals;
            }
            case REST_TEMPLATE, REST_CLIENT, OK_HTTP ->
                List.of(
                        ratio(LoadWay.FRESH, LoadWay.MAP_OF_FUTURES, 0.97),
                        ratio(LoadWay.IN_FLIGHT, LoadWay.MAP_OF_FUTURES, 1),
                        runs(35),
                        new LoadGoal(
                                "p99 at most 1.1 times that of map-of-futures",
                                r -> p99(r, LoadWay.FRESH) <= 1.1 * p99(r, LoadWay.MAP_OF_FUTURES)));
            case WEB_CLIENT -> List.of(ratio(LoadWay.FRESH, LoadWay.IN_FLIGHT, 0.97), runs(25));
            case REST_TEMPLATE_20_MS,
                    REST_CLIENT_20_MS,
                    WEB_CLIENT_20_MS,
                    OK_HTTP_20_MS,
                    REST_TEMPLATE_100_MS,
                    REST_CLIENT_100_MS,
                    WEB_CLIENT_100_MS,
                    OK_HTTP_100_MS -> millis == 20 ? List.of(ratio(LoadWay.FRESH, 1.13), runs(54)) : List.of();
            case DISTINCT_SERVLET,
                    DISTINCT_REST_TEMPLATE,
                    DISTINCT_REST_CLIENT,
                    DISTINCT_WEB_CLIENT,
                    DISTINCT_OK_HTTP ->
                List.of(
                        ratio(LoadWay.FRESH, 0.97),
                        new LoadGoal(
                                "p99 at most 1.05 times that of off",
                                r -> p99(r, LoadWay.FRESH) <= 1.05 * p99(r, LoadWay.OFF)),
                        new LoadGoal(
                                "every request is a run of its own",
                                r -> r.of(LoadWay.FRESH).runs()
                                        == r.of(LoadWay.FRESH).result().all()));
        };
    }

    private static LoadGoal ratio(LoadWay way, double least) {
        return ratio(way, LoadWay.OFF, least);
    }

    private static LoadGoal ratio(LoadWay way, LoadWay of, double least) {
        return new LoadGoal(way + " at least " + least + " times " + of, r -> r.ratio(way, of) >= least);
    }

    private static LoadGoal runs(int most) {
        return new LoadGoal(
                "at most " + most + " runs per 1 000", r -> r.of(LoadWay.FRESH).runsPerThousand() <= most);
    }

    private static double p99(LoadReport report, LoadWay way) {
        return report.of(way).p99Millis();
    }
}

package io.github.collapseexecutor.sample.springboot.load;

import java.util.ArrayList;
import java.util.List;

/** What is put under load, without and with collapsing, and what collapsing is to achieve there. */
enum LoadScenario {
    SERVLET("Servlet: handler of 100 ms, 200 threads", 400, "/test/", 100),
    REST_TEMPLATE("RestTemplate: backend of 0 ms, of another server", 200, "/front/rest-template/", 0),
    REST_TEMPLATE_20_MS("RestTemplate: backend of 20 ms, of another server", 200, "/front/rest-template/", 20),
    WEB_CLIENT("WebClient: backend of 0 ms, of another server", 200, "/front/web-client/", 0),
    WEB_CLIENT_20_MS("WebClient: backend of 20 ms, of another server", 200, "/front/web-client/", 20),
    DISTINCT_SERVLET("Servlet, every request distinct: handler of 0 ms", 200, "/test/", 0),
    DISTINCT_REST_TEMPLATE(
            "RestTemplate, every request distinct: backend of 0 ms, of another server",
            200,
            "/front/rest-template/",
            0),
    DISTINCT_WEB_CLIENT(
            "WebClient, every request distinct: backend of 0 ms, of another server", 200, "/front/web-client/", 0);

    // immutable
    private final String title;
    private final int connections;
    private final String folder;
    private final int millis;

    LoadScenario(String title, int connections, String folder, int millis) {
        this.title = title;
        this.connections = connections;
        this.folder = folder;
        this.millis = millis;
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
        return switch (this) {
            case SERVLET, REST_TEMPLATE, REST_TEMPLATE_20_MS, WEB_CLIENT, WEB_CLIENT_20_MS -> false;
            case DISTINCT_SERVLET, DISTINCT_REST_TEMPLATE, DISTINCT_WEB_CLIENT -> true;
        };
    }

    /**
     * Distinct requests show what collapsing costs by default; which calls may be joined makes no difference to them. Virtual
     * threads are for the scenario whose threads are all occupied. What a map of futures does, and what the client alone costs, is
     * measured where a client makes the calls.
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
            case REST_TEMPLATE ->
                List.of(
                        ratio(LoadWay.FRESH, LoadWay.MAP_OF_FUTURES, 0.97),
                        ratio(LoadWay.IN_FLIGHT, LoadWay.MAP_OF_FUTURES, 1),
                        runs(35),
                        new LoadGoal(
                                "p99 at most 1.1 times that of map-of-futures",
                                r -> p99(r, LoadWay.FRESH) <= 1.1 * p99(r, LoadWay.MAP_OF_FUTURES)));
            case WEB_CLIENT -> List.of(ratio(LoadWay.FRESH, LoadWay.IN_FLIGHT, 0.97), runs(25));
            case REST_TEMPLATE_20_MS, WEB_CLIENT_20_MS -> List.of(ratio(LoadWay.FRESH, 1.13), runs(54));
            case DISTINCT_SERVLET, DISTINCT_REST_TEMPLATE, DISTINCT_WEB_CLIENT ->
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

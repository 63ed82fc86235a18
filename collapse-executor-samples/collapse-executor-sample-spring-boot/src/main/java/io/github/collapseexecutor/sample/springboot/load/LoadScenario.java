package io.github.collapseexecutor.sample.springboot.load;

import java.util.ArrayList;
import java.util.List;

/** What is put under load, without and with collapsing, and what collapsing is to achieve there. */
enum LoadScenario {
    SERVLET("Servlet: handler of 100 ms, 200 threads", 400, "/test/noop100", "/test/collapse100"),
    REST_TEMPLATE(
            "RestTemplate: backend of 0 ms, of another server",
            200,
            "/front/rest-template/plain",
            "/front/rest-template/collapse"),
    WEB_CLIENT(
            "WebClient: backend of 0 ms, of another server",
            200,
            "/front/web-client/plain",
            "/front/web-client/collapse"),
    DISTINCT_SERVLET("Servlet, every request distinct: handler of 0 ms", 200, "/test/noop0", "/test/collapse0"),
    DISTINCT_REST_TEMPLATE(
            "RestTemplate, every request distinct: backend of 0 ms, of another server",
            200,
            "/front/rest-template/plain",
            "/front/rest-template/collapse"),
    DISTINCT_WEB_CLIENT(
            "WebClient, every request distinct: backend of 0 ms, of another server",
            200,
            "/front/web-client/plain",
            "/front/web-client/collapse");

    // immutable
    private final String title;
    private final int connections;
    private final String plainPath;
    private final String collapsingPath;

    LoadScenario(String title, int connections, String plainPath, String collapsingPath) {
        this.title = title;
        this.connections = connections;
        this.plainPath = plainPath;
        this.collapsingPath = collapsingPath;
    }

    String title() {
        return title;
    }

    int connections() {
        return connections;
    }

    /** Returns the path, and query, of one request; {@code number} is a different one for each request. */
    String path(LoadWay way, long number) {
        String path = way == LoadWay.OFF ? plainPath : collapsingPath;
        return isDistinct() ? path + "?number=" + number : path;
    }

    /** Whether no two requests are alike, so that there is nothing to collapse. */
    boolean isDistinct() {
        return switch (this) {
            case SERVLET, REST_TEMPLATE, WEB_CLIENT -> false;
            case DISTINCT_SERVLET, DISTINCT_REST_TEMPLATE, DISTINCT_WEB_CLIENT -> true;
        };
    }

    /**
     * Distinct requests show what collapsing costs by default; which calls may be joined makes no difference to them. Virtual
     * threads are for the scenario whose threads are all occupied.
     */
    List<LoadWay> ways() {
        if (isDistinct()) {
            return List.of(LoadWay.OFF, LoadWay.FRESH);
        }
        return hasVirtualThreads() ? List.of(LoadWay.values()) : List.of(LoadWay.OFF, LoadWay.FRESH, LoadWay.IN_FLIGHT);
    }

    private boolean hasVirtualThreads() {
        return this == SERVLET && Runtime.version().feature() >= 21;
    }

    /** Whether the server under load is a front, and the work is done by another behind it. */
    boolean isFront() {
        return collapsingPath.startsWith("/front/");
    }

    List<LoadGoal> goals() {
        return switch (this) {
            case SERVLET -> {
                List<LoadGoal> goals = new ArrayList<>(List.of(
                        ratio(LoadWay.FRESH, 1.85),
                        ratio(LoadWay.IN_FLIGHT, 1.95),
                        new LoadGoal("p99 at most 115 ms", r -> p99(r, LoadWay.FRESH) <= 115),
                        runs(60)));
                if (hasVirtualThreads()) {
                    goals.add(ratio(LoadWay.VIRTUAL_THREADS, 1.75));
                }
                yield goals;
            }
            case REST_TEMPLATE ->
                List.of(
                        ratio(LoadWay.FRESH, 2.5),
                        runs(50),
                        new LoadGoal(
                                "p99 at most a quarter of off", r -> p99(r, LoadWay.FRESH) <= p99(r, LoadWay.OFF) / 4));
            case WEB_CLIENT ->
                List.of(
                        ratio(LoadWay.FRESH, 2.5),
                        runs(50),
                        new LoadGoal("p99 below off", r -> p99(r, LoadWay.FRESH) < p99(r, LoadWay.OFF)));
            case DISTINCT_SERVLET, DISTINCT_REST_TEMPLATE, DISTINCT_WEB_CLIENT ->
                List.of(
                        ratio(LoadWay.FRESH, 0.97),
                        new LoadGoal(
                                "every request is a run of its own",
                                r -> r.of(LoadWay.FRESH).runs()
                                        == r.of(LoadWay.FRESH).result().all()));
        };
    }

    private static LoadGoal ratio(LoadWay way, double least) {
        return new LoadGoal(way + " at least " + least + " times off", r -> r.ratio(way) >= least);
    }

    private static LoadGoal runs(int most) {
        return new LoadGoal(
                "at most " + most + " runs per 1 000", r -> r.of(LoadWay.FRESH).runsPerThousand() <= most);
    }

    private static double p99(LoadReport report, LoadWay way) {
        return report.of(way).p99Millis();
    }
}

package io.github.collapseexecutor.sample.springboot.load;

import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.LineChart;
import io.github.collapseexecutor.figures.Section;
import io.github.collapseexecutor.figures.SectionFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Requests that come at a rate, as those of the world do: whether or not the ones before are answered. A front asks a backend of 20 ms
 * that bears 50 requests at a time, which makes 2 500 a second.
 *
 * @param seconds for how long each rate is measured
 * @param rates requests a second
 */
record OpenLoadRun(double seconds, List<Integer> rates) {

    private static final int BACKEND_THREADS = 50;
    private static final int CONNECTIONS = 1_000;
    private static final LoadScenario SCENARIO = LoadScenario.REST_TEMPLATE_20_MS;
    private static final List<LoadWay> WAYS = List.of(LoadWay.OFF, LoadWay.FRESH, LoadWay.IN_FLIGHT);

    OpenLoadRun {
        if (!(seconds > 0) || rates.isEmpty() || rates.stream().anyMatch(rate -> rate < 1)) {
            throw new IllegalArgumentException("seconds is " + seconds + " and rates are " + rates
                    + ": all must be positive, and there must be a rate");
        }
    }

    /** A rate that was kept up in one way. */
    private record Point(LoadWay way, int rate, LoadResult result, double callsPerThousand) {}

    /** Arguments: seconds of each rate (4), and rates (500 1000 2000 3000 4000 5000). */
    public static void main(String[] arguments) throws IOException {
        List<Integer> rates =
                Arrays.stream(arguments).skip(1).map(Integer::valueOf).toList();
        OpenLoadRun run = new OpenLoadRun(
                arguments.length == 0 ? 4 : Double.parseDouble(arguments[0]),
                rates.isEmpty() ? List.of(500, 1_000, 2_000, 3_000, 4_000, 5_000) : rates);
        Section section = run.run();
        System.out.println(section.tables().get(0).aligned(1));
        SectionFile.offer(List.of(section));
        if (!section.mistakes().isEmpty()) {
            System.out.println(section.mistakes());
            System.exit(1);
        }
    }

    /** Measures all rates, in each way. */
    Section run() throws IOException {
        List<Point> warmUps = new ArrayList<>();
        List<Point> points = new ArrayList<>();
        try (LoadServers servers = LoadServers.start(List.of("server.tomcat.threads.max=" + BACKEND_THREADS))) {
            for (LoadWay way : WAYS) {
                warmUps.add(measure(servers, way, rates.get(0)));
            }
            for (int rate : rates) {
                for (LoadWay way : WAYS) {
                    points.add(measure(servers, way, rate));
                }
            }
        }
        return section(points, warmUps);
    }

    private Point measure(LoadServers servers, LoadWay way, int rate) throws IOException {
        LoadServer server = servers.of(way);
        long runs = servers.backend().runs();
        LoadResult result = LoadGenerator.run(
                server.address(),
                new Load(
                        number -> SCENARIO.path(way, number),
                        !way.joinsRunningCall(),
                        CONNECTIONS,
                        rate,
                        Duration.ZERO,
                        Duration.ofNanos((long) (seconds * 1e9))));
        return new Point(way, rate, result, 1_000.0 * (servers.backend().runs() - runs) / Math.max(1, result.all()));
    }

    private static Section section(List<Point> points, List<Point> warmUps) {
        return Section.of(
                "Requests at a rate, whatever becomes of those before",
                List.of(
                        "A front asks a backend of 20 ms for the same thing at each request. The backend bears "
                                + BACKEND_THREADS + " at a time: 2 500 a second.",
                        "What an answer takes is counted from the moment when its request was due, so that requests that had to wait for"
                                + " those before are not left out."),
                List.of(
                        chart("p50, ms", points, point -> point.result().millis(50)),
                        chart("p99, ms", points, point -> point.result().millis(99)),
                        chart("calls of 1 000 that reach the backend", points, Point::callsPerThousand)),
                new FigureTable(
                        List.of(
                                "way",
                                "due a second",
                                "answers/s",
                                "p50, ms",
                                "p99, ms",
                                "p99.9, ms",
                                "calls per 1 000",
                                "wrong",
                                "failed"),
                        points.stream()
                                .map(point -> List.<Object>of(
                                        point.way().toString(),
                                        point.rate(),
                                        point.result().perSecond(),
                                        point.result().millis(50),
                                        point.result().millis(99),
                                        point.result().millis(99.9),
                                        point.callsPerThousand(),
                                        point.result().wrong(),
                                        point.result().failed()))
                                .toList()),
                Stream.concat(warmUps.stream(), points.stream())
                        .filter(point -> !point.result().isRight())
                        .map(point -> point.way() + ", " + point.rate() + " a second: "
                                + point.result().counts())
                        .toList());
    }

    private static LineChart chart(String title, List<Point> points, ToDoubleFunction<Point> value) {
        return new LineChart(
                title,
                "requests a second",
                WAYS.stream()
                        .map(way -> new LineChart.Line(
                                way.toString(),
                                points.stream()
                                        .filter(point -> point.way() == way)
                                        .map(point -> new LineChart.Point(
                                                String.valueOf(point.rate()), value.applyAsDouble(point)))
                                        .toList(),
                                List.of()))
                        .toList());
    }
}

package io.github.collapseexecutor.sample.springboot.load;

import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.LineChart;
import io.github.collapseexecutor.figures.Section;
import io.github.collapseexecutor.figures.SectionFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Many callers of one page of a server of 200 threads, whose work hangs for a while, then fails for a while, and recovers. Beside them
 * others ask the same server for another page: they show whether it is still there.
 *
 * @param callers how many ask for the page
 * @param seconds for how long each mood lasts
 */
record StormRun(int callers, double seconds) {

    private static final List<LoadWay> WAYS = List.of(LoadWay.OFF, LoadWay.FRESH, LoadWay.IN_FLIGHT);
    private static final int MOODS = 4;
    private static final int WARM_UP = 4;
    private static final int OTHERS = 10;
    private static final int OTHERS_PER_SECOND = 100;

    StormRun {
        if (callers < 1 || !(seconds > 0)) {
            throw new IllegalArgumentException(
                    "callers is " + callers + " and seconds is " + seconds + ": both must be positive");
        }
    }

    /** What callers, and the others beside them, experienced; and callers before the storm. */
    private record Storm(LoadWay way, LoadResult warmUp, LoadResult callers, LoadResult others, long runs) {

        boolean isRight() {
            return warmUp.isRight()
                    && callers.wrong() == 0
                    && callers.all() > 0
                    && others.wrong() == 0
                    && others.failed() == 0;
        }
    }

    /** Arguments: callers (10 000), and seconds of each mood (3). */
    public static void main(String[] arguments) throws IOException {
        StormRun run = new StormRun(
                arguments.length == 0 ? 10_000 : Integer.parseInt(arguments[0]),
                arguments.length < 2 ? 3 : Double.parseDouble(arguments[1]));
        Section section = run.run();
        System.out.println(section.tables().get(0).aligned(1));
        SectionFile.offer(List.of(section));
        if (!section.mistakes().isEmpty()) {
            System.out.println(section.mistakes());
            System.exit(1);
        }
    }

    /** Has the storm come in each way. */
    Section run() throws IOException {
        List<Storm> storms = new ArrayList<>();
        for (LoadWay way : WAYS) {
            List<String> properties = new ArrayList<>(way.properties());
            properties.add("server.tomcat.max-connections=" + (callers + 1_000));
            try (LoadServer server = LoadServer.start(properties)) {
                LoadResult warmUp = LoadGenerator.run(server.address(), load(way, callers, WARM_UP * seconds));
                storms.add(storm(server, way, warmUp));
            }
        }
        return section(storms);
    }

    private static Load load(LoadWay way, int callers, double seconds) {
        String path = way == LoadWay.OFF ? "/test/noop-moody" : "/test/collapse-moody";
        return Load.closed(number -> path, !way.joinsRunningCall(), callers, Duration.ZERO, lasting(seconds));
    }

    private Storm storm(LoadServer server, LoadWay way, LoadResult warmUp) throws IOException {
        double all = seconds * MOODS;
        long runs = server.runs();
        FutureTask<LoadResult> others = new FutureTask<>(() -> LoadGenerator.run(
                server.address(),
                new Load(number -> "/test/noop0", false, OTHERS, OTHERS_PER_SECOND, Duration.ZERO, lasting(all))));
        CountDownLatch connected = new CountDownLatch(1);
        FutureTask<LoadResult> asking = new FutureTask<>(() -> {
            try {
                return LoadGenerator.run(server.address(), load(way, callers, all), connected::countDown);
            } finally {
                connected.countDown(); // if not all could connect
            }
        });
        new Thread(asking, "callers").start();
        try {
            connected.await();
            server.beginMoods(lasting(seconds));
            new Thread(others, "others").start();
            return new Storm(way, warmUp, asking.get(), others.get(), server.runs() - runs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted in a storm", e);
        } catch (ExecutionException e) {
            throw new IOException("The load broke off", e.getCause());
        }
    }

    private Section section(List<Storm> storms) {
        return Section.of(
                "A storm on a hot key: " + callers + " callers, and work that hangs, fails and recovers",
                List.of(
                        "All ask a server of 200 threads for the same page, which takes 20 ms. For " + seconds
                                + " s each, its work is well, hangs, fails (502), and is well again. No caller has a time limit.",
                        "The others ask the same server for another page, " + OTHERS_PER_SECOND
                                + " times a second: where each caller of the page that hangs holds a thread, they wait, too."),
                List.of(
                        chart("callers: answers a second", storms, Storm::callers, Interval::answersPerSecond),
                        chart("callers: failures a second", storms, Storm::callers, Interval::failedPerSecond),
                        chart("others: answers a second", storms, Storm::others, Interval::answersPerSecond)),
                new FigureTable(
                        List.of(
                                "way",
                                "answers",
                                "failures",
                                "runs of the work",
                                "others: p50, ms",
                                "others: p99, ms",
                                "wrong"),
                        storms.stream()
                                .map(storm -> List.<Object>of(
                                        storm.way().toString(),
                                        storm.callers().all(),
                                        storm.callers().failed(),
                                        storm.runs(),
                                        storm.others().millis(50),
                                        storm.others().millis(99),
                                        storm.callers().wrong() + storm.others().wrong()))
                                .toList()),
                storms.stream()
                        .filter(storm -> !storm.isRight())
                        .map(storm -> storm.way() + ": callers had "
                                + storm.callers().wrong() + " wrong answers of "
                                + storm.callers().all() + ", others had "
                                + storm.others().counts() + "; before the storm, callers had "
                                + storm.warmUp().counts())
                        .toList());
    }

    private static LineChart chart(
            String title, List<Storm> storms, Function<Storm, LoadResult> of, ToDoubleFunction<Interval> value) {
        return new LineChart(
                title,
                "seconds",
                storms.stream()
                        .map(storm -> {
                            List<Interval> intervals = of.apply(storm).intervals();
                            return new LineChart.Line(
                                    storm.way().toString(),
                                    IntStream.range(0, intervals.size())
                                            .mapToObj(i -> new LineChart.Point(
                                                    second(i), value.applyAsDouble(intervals.get(i))))
                                            .toList(),
                                    List.of());
                        })
                        .toList());
    }

    private static String second(int interval) {
        long millis = interval * Interval.LENGTH.toMillis();
        return millis % 1_000 == 0 ? String.valueOf(millis / 1_000) : "";
    }

    private static Duration lasting(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }
}

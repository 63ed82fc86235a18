package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs, and counts what it is to count; how fast, is not asked here. */
class BenchmarkTests {

    private static final int THREADS = 16;

    @BeforeAll
    static void letOtherMeasurementsOfTheMachineBe() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    private static ChainedOptionsBuilder shortly(Class<?> benchmark) {
        return new OptionsBuilder()
                .include("^" + benchmark.getName().replace(".", "\\.") + "\\.")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(50))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    private static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
        return new Runner(options.build()).run();
    }

    private static double figure(RunResult result, String name) {
        Result<?> figure = result.getSecondaryResults().get(name);
        return figure.getScore();
    }

    @Test
    void aLoneCallIsMadeInEveryWay() throws RunnerException {
        assertThat(run(shortly(LoneCallBenchmark.class)))
                .hasSize(5)
                .allSatisfy(result ->
                        assertThat(result.getPrimaryResult().getScore()).isPositive());
    }

    @Test
    void aRequestIsLookedUpInEveryWay() throws RunnerException {
        HttpRequestBenchmark benchmark = new HttpRequestBenchmark();
        assertThat(benchmark.firstOfHundredGroups()).isInstanceOf(CollapsibleRequest.class);
        assertThat(benchmark.lastOfHundredGroups()).isInstanceOf(CollapsibleRequest.class);
        assertThat(benchmark.noneOfHundredGroups()).isNotInstanceOf(CollapsibleRequest.class);
        assertThat(run(shortly(HttpRequestBenchmark.class)))
                .hasSize(3)
                .allSatisfy(result ->
                        assertThat(result.getPrimaryResult().getScore()).isPositive());
    }

    @Test
    void callersOfAHotKeyShareExecutionsInEveryWayButTheBareCall() throws RunnerException {
        Map<String, RunResult> byWay =
                run(shortly(HotKeyBenchmark.class).threads(THREADS).addProfiler(CallerLatencies.class)).stream()
                        .collect(Collectors.toMap(result -> result.getParams().getParam("way"), result -> result));
        assertThat(byWay.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Way.values()).map(Way::name).toList());
        byWay.forEach((way, result) -> {
            Figures figures = Figures.of(result);
            if (way.equals(Way.BARE.name())) {
                assertThat(figures.executions()).isCloseTo(1_000, withinPercentage(0.001));
            } else {
                assertThat(figures.executions()).as(way).isBetween(1.0, 999.0);
            }
            assertThat(figures.p50()).isGreaterThanOrEqualTo(1_000 * 0.99);
            assertThat(figures.p99()).isGreaterThanOrEqualTo(figures.p50());
        });
    }

    @Test
    void veryManyVirtualThreadsShareExecutionsOrItIsSaidWhatTheyNeed() throws RunnerException {
        ChainedOptionsBuilder options = shortly(HotKeyVirtualThreadsBenchmark.class)
                .measurementTime(TimeValue.milliseconds(200))
                .param("way", Way.FRESH.name());
        if (VirtualThreads.exist()) {
            assertThat(run(options))
                    .singleElement()
                    .satisfies(result ->
                            assertThat(Figures.of(result).executions()).isBetween(0.0, 500.0));
        } else {
            assertThatThrownBy(() -> run(options)).hasStackTraceContaining("need a JDK of version 21 or newer");
        }
    }

    @Test
    void callersAskForKeysOfADistribution() throws RunnerException {
        assertThat(run(shortly(ZipfBenchmark.class).threads(THREADS).param("way", "FRESH", "CAFFEINE")))
                .hasSize(2 * 3)
                .allSatisfy(
                        result -> assertThat(Figures.of(result).executions()).isBetween(1.0, 1_000.001));
    }

    @Test
    void batchesHaveTheirSize() throws RunnerException {
        assertThat(run(shortly(BatchSizeBenchmark.class).measurementTime(TimeValue.milliseconds(10))))
                .hasSize(4 * 4)
                .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore() / figure(result, "inputs"))
                        .isCloseTo(Double.parseDouble(result.getParams().getParam("size")), withinPercentage(1)));
    }

    @Test
    void callersWithInputsOfTheirOwnShareExecutions() throws RunnerException {
        assertThat(run(shortly(BatchFunctionBenchmark.class).threads(THREADS)))
                .hasSize(4 * 2)
                .allSatisfy(result -> {
                    double perExecution = figure(result, "submitted") / figure(result, "executions");
                    if (result.getParams().getParam("kind").equals("ONE_BY_ONE")) {
                        assertThat(perExecution).isEqualTo(1);
                    } else {
                        // Calls and executions are not counted at the same moment.
                        assertThat(perExecution).isGreaterThan(1).isLessThan(THREADS + 1);
                    }
                });
    }
}

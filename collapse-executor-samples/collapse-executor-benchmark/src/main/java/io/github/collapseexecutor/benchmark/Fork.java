package io.github.collapseexecutor.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One way in one benchmark, to be measured in a JVM of its own. */
final class Fork {

    private static final int WARM_UP_SECONDS = 3;
    private static final int UNSAFE_WARNS_SINCE = 24;

    // immutable
    final String way;
    private final Class<?> benchmark;
    private final String method;
    private final int threads;
    private final long callMicros;
    private final List<Class<? extends Profiler>> profilers;

    private Fork(
            String way,
            Class<?> benchmark,
            String method,
            int threads,
            long callMicros,
            List<Class<? extends Profiler>> profilers) {
        this.way = way;
        this.benchmark = benchmark;
        this.method = method;
        this.threads = threads;
        this.callMicros = callMicros;
        this.profilers = profilers;
    }

    static Fork loneCall(String method) {
        return new Fork(method, LoneCallBenchmark.class, method, 1, 0, List.of(GCProfiler.class));
    }

    static List<Fork> hotKey(int threads, long callMicros, Way... ways) {
        return Stream.of(ways)
                .map(way -> new Fork(
                        way.name(),
                        HotKeyBenchmark.class,
                        "call",
                        threads,
                        callMicros,
                        List.of(CallerLatencies.class, GCProfiler.class)))
                .toList();
    }

    static List<Fork> virtualThreads(long callMicros, Way... ways) {
        return Stream.of(ways)
                .map(way -> new Fork(
                        way.name(),
                        HotKeyVirtualThreadsBenchmark.class,
                        "call",
                        1, // which counts what the virtual ones do
                        callMicros,
                        List.of(CallerLatencies.class, GCProfiler.class)))
                .toList();
    }

    Fork with(Class<? extends Profiler> profiler) {
        List<Class<? extends Profiler>> more = new ArrayList<>(profilers);
        more.add(profiler);
        return new Fork(way, benchmark, method, threads, callMicros, List.copyOf(more));
    }

    Figures run(int seconds) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
                .threads(threads)
                .forks(1)
                .warmupIterations(WARM_UP_SECONDS)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(seconds)
                .measurementTime(TimeValue.seconds(1))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (!benchmark.equals(LoneCallBenchmark.class)) {
            options.param("way", way).param("callMicros", Long.toString(callMicros));
        }
        if (Runtime.version().feature() >= UNSAFE_WARNS_SINCE) {
            options.jvmArgsAppend(
                    "--sun-misc-unsafe-memory-access=allow"); // the harness's, and every fork would say so
        }
        profilers.forEach(options::addProfiler);
        return Figures.of(new Runner(options.build()).runSingle());
    }
}

package io.github.collapseexecutor.benchmark;

import static io.github.collapseexecutor.benchmark.Verdict.Goal.atLeast;
import static io.github.collapseexecutor.benchmark.Verdict.Goal.atMost;
import static io.github.collapseexecutor.benchmark.Verdict.plain;

import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.Section;
import io.github.collapseexecutor.figures.SectionFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Measures in one run what the core is to achieve, beside its peers, and prints a table of goals and one of figures.
 *
 * <p>Everything is measured in rounds. In each, every way has a fork of its own, one after another, and every second round
 * goes backwards, so that a machine that becomes slower or faster does so for all of them. A ratio is that of two forks of
 * the same round; what counts is its median over the rounds.
 *
 * <p>Arguments: how many rounds (5), and seconds to measure each fork for (3). The exit status is 1 if a goal is missed.
 */
public final class Goals {

    private static final int GROUPS = 1_000_000;
    /** What a group that stayed would take many hundred times of, and a heap that is measured twice differs by. */
    private static final double NOISE_PER_GROUP = 0.1;

    // immutable
    private final int rounds;
    private final int seconds;
    private final List<Verdict> verdicts = new ArrayList<>();
    private final StringBuilder figures = new StringBuilder(Rounds.HEADING);
    private final List<String> notes = new ArrayList<>();

    private Goals(int rounds, int seconds) {
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /**
     * Measures and prints.
     *
     * @param args how many rounds, and seconds for each fork
     */
    public static void main(String[] args) throws Exception {
        Goals goals = new Goals(
                args.length > 0 ? Integer.parseInt(args[0]) : 5, args.length > 1 ? Integer.parseInt(args[1]) : 3);
        long begin = System.nanoTime();
        goals.measure();
        goals.print(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
        SectionFile.offer(List.of(goals.section()));
        System.exit(goals.verdicts.stream().allMatch(Verdict::isMet) ? 0 : 1);
    }

    private void measure() throws Exception {
        groupsLeaveNothing();
        loneCall();
        callersOfOneKey();
        crowds();
        virtualThreads();
    }

    private void groupsLeaveNothing() throws Exception {
        for (JoinMode mode : JoinMode.values()) {
            GroupMemory.Use use = GroupMemory.of(mode, GROUPS);
            verdicts.add(new Verdict(
                    plain(GROUPS) + " groups, one after another, `" + mode + "`",
                    "heap that stays, bytes a group",
                    atMost(NOISE_PER_GROUP),
                    List.of((double) use.growth() / GROUPS),
                    plain((double) use.before()) + " B before, " + plain((double) use.after()) + " B after"));
        }
    }

    private void loneCall() throws RunnerException {
        Rounds lone = run("lone call", List.of(Fork.loneCall("bare"), Fork.loneCall("collapsed")));
        verdicts.add(lone.verdict(
                "ns added to the bare call",
                atMost(Runtime.version().feature() >= 25 ? 40 : 60),
                Figures::score,
                "collapsed",
                (collapsed, bare) -> collapsed - bare,
                "bare"));
    }

    private void callersOfOneKey() throws RunnerException {
        Rounds keyed = run(
                "64 threads, one key, 1 ms",
                Fork.hotKey(64, 1_000, Way.BARE, Way.FRESH, Way.IN_FLIGHT, Way.MAP_OF_FUTURES));
        verdicts.add(keyed.ratio(
                "`FRESH`, calls a second of the bare call's", atLeast(0.94), Figures::score, Way.FRESH, Way.BARE));
        verdicts.add(keyed.ratio("`FRESH`, p99 of the bare call's", atMost(1.15), Figures::p99, Way.FRESH, Way.BARE));
        verdicts.add(keyed.figure("`FRESH`, executions per 1 000 calls", atMost(140), Figures::executions, Way.FRESH));
        verdicts.add(keyed.ratio(
                "`FRESH`, calls a second of the map of futures'",
                atLeast(1.0),
                Figures::score,
                Way.FRESH,
                Way.MAP_OF_FUTURES));
        verdicts.add(keyed.ratio(
                "`IN_FLIGHT`, calls a second of the bare call's",
                atLeast(0.94),
                Figures::score,
                Way.IN_FLIGHT,
                Way.BARE));
        verdicts.add(keyed.figure(
                "`IN_FLIGHT`, executions per 1 000 calls", atMost(16), Figures::executions, Way.IN_FLIGHT));
    }

    /** Callers that take longer to be woken than the call does, or nearly so. */
    private void crowds() throws RunnerException {
        crowd(64, 100, 0.9, 50);
        crowd(256, 1_000, 1.0, 46);
        Rounds largest = crowd(256, 100, 0.9, 12);
        verdicts.add(largest.ratio(
                "`IN_FLIGHT`, calls a second of the map of futures'",
                atLeast(1.1),
                Figures::score,
                Way.IN_FLIGHT,
                Way.MAP_OF_FUTURES));
    }

    private Rounds crowd(int threads, long callMicros, double ofTheMap, int executions) throws RunnerException {
        Rounds keyed = run(
                threads + " threads, one key, " + callMicros / 1e3 + " ms",
                Fork.hotKey(threads, callMicros, Way.FRESH, Way.IN_FLIGHT, Way.MAP_OF_FUTURES));
        verdicts.add(keyed.ratio(
                "`FRESH`, calls a second of the map of futures'",
                atLeast(ofTheMap),
                Figures::score,
                Way.FRESH,
                Way.MAP_OF_FUTURES));
        verdicts.add(keyed.figure(
                "`FRESH`, executions per 1 000 calls", atMost(executions), Figures::executions, Way.FRESH));
        return keyed;
    }

    private void virtualThreads() throws RunnerException {
        if (!VirtualThreads.exist()) {
            notes.add("10 000 virtual threads: not measured, needs a JDK of version " + VirtualThreads.SINCE
                    + " or newer");
            return;
        }
        Rounds keyed =
                run("10 000 virtual threads, one key, 1 ms", Fork.virtualThreads(1_000, Way.FRESH, Way.MAP_OF_FUTURES));
        verdicts.add(keyed.ratio(
                "`FRESH`, calls a second of the map of futures'",
                atLeast(0.95),
                Figures::score,
                Way.FRESH,
                Way.MAP_OF_FUTURES));
        verdicts.add(keyed.ratio(
                "`FRESH`, p99 of the map of futures'", atMost(1.2), Figures::p99, Way.FRESH, Way.MAP_OF_FUTURES));
        // In a fork of its own, because the recorder that counts them takes its share.
        Rounds recorded = Rounds.run(
                "10 000 virtual threads, one key, 1 ms, recorded",
                1,
                List.of(Fork.virtualThreads(1_000, Way.FRESH).get(0).with(PinningEvents.class)),
                seconds);
        verdicts.add(recorded.figure("`FRESH`, pinning events", atMost(0), Figures::pinned, Way.FRESH));
    }

    private Rounds run(String work, List<Fork> forks) throws RunnerException {
        Rounds result = Rounds.run(work, rounds, forks, seconds);
        figures.append(result.rows());
        return result;
    }

    private Section section() {
        return new Section(
                "The engine's goals",
                List.of(
                        "Each way has a JVM of its own, one after another, in rounds; a ratio is that of two ways in the same round. Median of "
                                + rounds + " rounds of " + seconds + " s."),
                List.of(),
                List.of(new FigureTable(
                        List.of("work", "figure", "goal", "measured", "of", "met"),
                        verdicts.stream().map(Verdict::cells).toList())),
                List.of());
    }

    private void print(long duration) {
        System.out.printf(
                Locale.ROOT,
                "JDK %s, processors: %d, rounds: %d, seconds a fork: %d, in all: %d%n%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                rounds,
                seconds,
                duration);
        System.out.print(Verdict.HEADING);
        verdicts.forEach(verdict -> System.out.print(verdict.row()));
        System.out.printf("%n%s", figures);
        notes.forEach(note -> System.out.printf("%n%s%n", note));
    }
}

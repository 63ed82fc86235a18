package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The real engine and runners on a scheduler and a clock of the test's: two and three callers that arrive, start, finish,
 * fail, leave, are timed out and see time pass in every order there is, and up to four in very many orders and with any
 * options.
 *
 * <p>A run that fails prints the property that repeats it. The profile {@code proofs} tries very many more.
 */
@Tag("scheduler")
class ScheduleTests {

    /** Repeats one run instead of all. */
    static final String REPLAY = "schedule.replay";

    private static final Pattern PATH = Pattern.compile("(.*): path([ \\d]*)");
    private static final Pattern SEED = Pattern.compile(".*: seed (-?\\d+)");

    private static final int EFFORT = Integer.getInteger("schedule.effort", 1);
    private static final int RUNS_AT_RANDOM = 5_000 * EFFORT;

    private final Scheduler.Threads threads = new Scheduler.Threads();

    @TestFactory
    Stream<DynamicTest> whateverTheOrderOfEventsThePromisesHold() {
        String replay = System.getProperty(REPLAY);
        if (replay != null) {
            return Stream.of(dynamicTest(replay, () -> repeat(replay)));
        }
        Stream<Plan> plans = EFFORT == 1 ? Plan.small().stream() : plans();
        return Stream.concat(
                plans.map(plan -> dynamicTest(plan.toString(), () -> runInEveryOrder(plan))),
                Stream.of(dynamicTest(RUNS_AT_RANDOM + " plans and orders at random", this::runAtRandom)));
    }

    private static Stream<Plan> plans() {
        return Stream.concat(Plan.small().stream(), Plan.large().stream());
    }

    private void runInEveryOrder(Plan plan) {
        Decisions.Enumeration decisions = new Decisions.Enumeration(plan.overtakings());
        int runs = 0;
        do {
            new ScheduledRun(plan, threads, decisions).run();
            runs++;
        } while (decisions.advance());
        assertThat(runs).isGreaterThan(1);
    }

    private void runAtRandom() {
        long first = ThreadLocalRandom.current().nextLong();
        for (int i = 0; i < RUNS_AT_RANDOM; i++) {
            runAtRandom(first + i);
        }
    }

    private void runAtRandom(long seed) {
        new ScheduledRun(Plan.random(seed), threads, Decisions.random(seed)).run();
    }

    private void repeat(String replay) {
        Matcher seed = SEED.matcher(replay);
        if (seed.matches()) {
            runAtRandom(Long.parseLong(seed.group(1)));
            return;
        }
        Matcher path = PATH.matcher(replay);
        assertThat(path.matches()).as("-D" + REPLAY + "=" + replay).isTrue();
        Plan plan = plans().filter(each -> each.toString().equals(path.group(1)))
                .findAny()
                .orElseThrow();
        List<Integer> choices =
                Stream.of(path.group(2).trim().split(" ")).map(Integer::valueOf).collect(Collectors.toList());
        new ScheduledRun(plan, threads, Decisions.Enumeration.at(plan.overtakings(), choices)).run();
    }
}

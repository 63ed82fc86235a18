package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Scheduler.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The tool of {@link ScheduleTests} itself: it tries what it says, repeats it, and sees what goes wrong. */
class SchedulerTests {

    private final Scheduler.Threads threads = new Scheduler.Threads();
    private final List<Event> events = new ArrayList<>();

    private Scheduler scheduler(Decisions decisions) {
        return new Scheduler(threads, decisions, new Scheduler.Environment() {
            @Override
            public List<Event> events() {
                return List.copyOf(events);
            }

            @Override
            public void atRest() {
                // Nothing is promised here.
            }
        });
    }

    private String letters(Decisions decisions) {
        StringBuilder letters = new StringBuilder();
        Scheduler scheduler = scheduler(decisions);
        for (String letter : List.of("a", "b")) {
            scheduler.spawn(letter, () -> {
                letters.append(letter);
                scheduler.pause("between");
                letters.append(letter);
                scheduler.pause("between");
                letters.append(letter);
            });
        }
        scheduler.run(() -> {});
        return letters.toString();
    }

    private static <T> List<T> all(int overtakings, Function<Decisions, T> run) {
        List<T> results = new ArrayList<>();
        Decisions.Enumeration decisions = new Decisions.Enumeration(overtakings);
        do {
            results.add(run.apply(decisions));
        } while (decisions.advance());
        return results;
    }

    @Test
    void everyOrderIsTriedOnce() {
        // 6! / (3! * 3!) orders of three letters and three
        assertThat(all(6, this::letters)).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void overtakingIsBounded() {
        assertThat(all(0, this::letters)).containsExactly("aaabbb", "bbbaaa");
        assertThat(all(1, this::letters))
                .containsExactlyInAnyOrder("aaabbb", "aabbba", "abbbaa", "bbbaaa", "bbaaab", "baaabb");
    }

    @Test
    void anEventMayHappenBetweenAnyTwoSteps() {
        List<Integer> seen = all(1, decisions -> {
            int[] steps = new int[2];
            events.clear();
            events.add(new Event("the event", () -> {
                events.clear();
                steps[1] = steps[0];
            }));
            Scheduler scheduler = scheduler(decisions);
            scheduler.spawn("stepping", () -> {
                steps[0] = 1;
                scheduler.pause("between");
                steps[0] = 2;
            });
            scheduler.run(() -> {});
            return steps[1];
        });
        assertThat(seen).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void aSeedRepeatsARun() {
        for (long seed = 0; seed < 100; seed++) {
            assertThat(letters(Decisions.random(seed))).isEqualTo(letters(Decisions.random(seed)));
        }
    }

    @Test
    void aPathRepeatsARun() {
        Decisions.Enumeration decisions = new Decisions.Enumeration(6);
        List<Integer> path = List.of(1, 0, 1, 1);
        String letters = letters(Decisions.Enumeration.at(6, path));
        List<String> paths = new ArrayList<>();
        do {
            if (letters(decisions).equals(letters)) {
                paths.add(decisions.toString());
            }
        } while (decisions.advance());
        assertThat(paths).singleElement().asString().startsWith("path 1 0 1 1");
    }

    @Test
    void aThreadThatWaitsForEverIsFound() {
        Scheduler scheduler = scheduler(Decisions.random(1));
        scheduler.spawn("somebody", () -> scheduler.await("a door that stays shut", () -> false));
        assertThatThrownBy(() -> scheduler.run(() -> {}))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("somebody waits for ever, parked at: a door that stays shut");
    }

    @Test
    void aRunWithoutEndIsFound() {
        Scheduler scheduler = scheduler(Decisions.random(1));
        scheduler.spawn("somebody", () -> {
            while (true) {
                scheduler.pause("again");
            }
        });
        assertThatThrownBy(() -> scheduler.run(() -> {}))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("comes to no end");
    }

    @Test
    void aThreadThatFailsFailsTheRun() {
        Scheduler scheduler = scheduler(Decisions.random(1));
        IllegalStateException failure = new IllegalStateException("broken");
        scheduler.spawn("somebody", () -> {
            throw failure;
        });
        assertThatThrownBy(() -> scheduler.run(() -> {}))
                .isInstanceOf(AssertionError.class)
                .hasCause(failure);
    }

    @Test
    void aPromiseThatIsBrokenFailsTheRunWhereItIs() {
        Scheduler scheduler = scheduler(Decisions.random(1));
        List<String> reached = new ArrayList<>();
        scheduler.spawn("somebody", () -> {
            reached.add("before");
            scheduler.check(false, "it holds");
            reached.add("after");
        });
        assertThatThrownBy(() -> scheduler.run(() -> {}))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("it holds");
        assertThat(reached).containsExactly("before");
    }
}

package io.github.collapseexecutor.foreign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * Callers of all kinds ask frameworks that nobody here wrote, behind filters that nobody here wrote, with collapsing and without it: both get the
 * same, and where anonymous callers ask for the same thing, its handler runs less often than they ask.
 */
class ForeignServersTests {

    private static final long FROM = Long.getLong("foreign.seed", 1);
    private static final int SETUPS = Integer.getInteger("foreign.setups", 3);
    private static final int BURSTS = Integer.getInteger("foreign.bursts", 40);
    /** Its handlers are not shared where followers hold threads. */
    private static final String ALWAYS_ASYNCHRONOUS = "proxy";

    private static final long CALL_TIME = Duration.ofMillis(30).toNanos();

    @Test
    void frameworksOfServletsAnswerAsWithoutCollapsing() throws Exception {
        compare(ServletSurroundings::drawn, Guests.OF_SERVLETS);
    }

    @Test
    void reactiveFrameworksAnswerAsWithoutCollapsing() throws Exception {
        compare(ReactiveSurroundings::drawn, ReactiveGuests.ALL);
    }

    private static void compare(BiFunction<Long, Random, Surroundings> drawn, List<Guest> guests) throws Exception {
        Comparison comparison = new Comparison(guests);
        for (long seed = FROM; comparison.goesOn(seed); seed++) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            Surroundings surroundings = drawn.apply(seed, random);
            try (Application plain = new Application(surroundings, guests, false);
                    Application collapsing = new Application(surroundings, guests, true)) {
                comparison.run("seed " + seed + " " + surroundings, random, plain, collapsing);
            }
        }
        comparison.check();
    }

    /** Compares replies over many set-ups. */
    private static final class Comparison {

        // immutable
        private final List<Guest> guests;
        private final long until = System.nanoTime()
                + Duration.ofMinutes(Long.getLong("foreign.minutes", 0)).toNanos() / 2;

        // mutable, confined to the test's thread
        private final Map<String, Integer> differences = new TreeMap<>();
        private final Map<String, int[]> asked = new TreeMap<>();

        Comparison(List<Guest> guests) {
            this.guests = guests;
        }

        boolean goesOn(long seed) {
            return seed < FROM + SETUPS || System.nanoTime() < until;
        }

        void run(String setUp, Random random, Application plain, Application collapsing) throws InterruptedException {
            System.out.println(setUp);
            plain.backend().takes(CALL_TIME);
            collapsing.backend().takes(CALL_TIME);
            Map<Call, Reply> expected = new HashMap<>();
            for (int burst = 0; burst < BURSTS; burst++) {
                List<Call> calls = Callers.burst(random, guests);
                for (Call call : calls) {
                    if (!expected.containsKey(call)) {
                        expected.put(call, Callers.send(plain, List.of(call)).get(0));
                    }
                }
                List<Reply> replies = Callers.send(collapsing, calls);
                for (int i = 0; i < calls.size(); i++) {
                    Call call = calls.get(i);
                    askedOf(call.guest())[0]++;
                    String difference = replies.get(i).differenceTo(expected.get(call));
                    if (!difference.isEmpty()) { // a server may have failed by chance
                        expected.put(call, Callers.send(plain, List.of(call)).get(0));
                        difference = replies.get(i).differenceTo(expected.get(call));
                    }
                    if (!difference.isEmpty()) {
                        differences.merge("\n" + setUp + "\n  " + call + difference, 1, Integer::sum);
                    }
                }
            }
            for (Guest guest : guests) {
                askedOf(guest.name())[1] += collapsing.backend().runs(guest.name());
            }
        }

        private int[] askedOf(String guest) {
            return asked.computeIfAbsent(guest, name -> new int[2]);
        }

        void check() {
            StringBuilder figures = new StringBuilder("calls and runs of handlers:");
            asked.forEach((guest, counts) -> figures.append(' ')
                    .append(guest)
                    .append(' ')
                    .append(counts[0])
                    .append(", ")
                    .append(counts[1])
                    .append(';'));
            System.out.println(figures);
            assertThat(differences)
                    .as("differences, and how often they were seen")
                    .isEmpty();
            asked.forEach((guest, counts) -> {
                if (!guest.equals(ALWAYS_ASYNCHRONOUS)) {
                    assertThat(counts[1]).as("runs of handlers of " + guest).isLessThan(counts[0]);
                }
            });
        }
    }
}

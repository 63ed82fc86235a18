package io.github.collapseexecutor.foreign.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.collapseexecutor.CompiledAtRunTime;
import io.github.collapseexecutor.spring.annotation.InvalidCollapsingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Annotated methods with what libraries and applications put on methods beside, at random: callers get with collapsing what they get without it, and
 * find their threads as they were. {@code foreign.minutes} says how long further seeds are drawn, and {@code foreign.seed} gives one again.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS) // as long as foreign.minutes says
class ForeignAnnotationTests {

    private static final int FIXED = 20;
    private static final int AT_ONCE = 20;
    private static final int CALLERS = 8;
    private static final int ROUNDS = 5;
    private static final int SECONDS = 120;
    private static final long PAUSE_NANOS = 1_000_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> differences = new ArrayList<>();
    private int compared;
    private int refused;
    private int impossible;
    private final Map<String, Integer> reasons = new TreeMap<>();
    private int calls;
    private int executions;

    @TempDir
    Path folder;

    @BeforeAll
    static void silenceLibraries() {
        for (String name :
                List.of("org", "com", "io.github.resilience4j", "io.micrometer", "io.github.collapseexecutor")) {
            ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.OFF);
        }
    }

    @Test
    void callersOfAnnotatedMethodsGetWhatTheyGetWithoutCollapsing() throws Exception {
        Long again = Long.getLong("foreign.seed");
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(Integer.getInteger("foreign.minutes", 0));
        try {
            if (again != null) {
                drive(LongStream.of(again));
            } else {
                for (int from = 1; from <= FIXED; from += AT_ONCE) {
                    drive(LongStream.range(from, from + AT_ONCE));
                }
                while (System.nanoTime() < until) {
                    drive(new Random().longs(AT_ONCE));
                }
            }
        } finally {
            threads.shutdownNow();
        }
        System.out.println(compared + " set-ups compared, " + refused + " refused, " + impossible
                + " impossible without collapsing, too: " + reasons + "; " + calls + " calls, " + executions
                + " executions");
        assertThat(String.join("\n\n", differences)).isEmpty();
        if (again == null) {
            assertThat(executions).isLessThan(calls);
            assertThat(compared).isGreaterThan(refused + impossible);
        }
    }

    private void drive(LongStream seeds) throws Exception {
        List<SetUp> setUps = seeds.mapToObj(SetUp::of).toList();
        Path sources = Files.createTempDirectory(folder, "sources");
        for (SetUp setUp : setUps) {
            Files.writeString(sources.resolve(Source.nameOf(setUp) + ".java"), Source.of(setUp));
        }
        try (CompiledAtRunTime compiled = new CompiledAtRunTime(sources)) {
            for (SetUp setUp : setUps) {
                List<String> found = differences(setUp, compiled.named("lab." + Source.nameOf(setUp)));
                if (!found.isEmpty()) {
                    String difference = "-Dforeign.seed=" + setUp.seed() + " " + setUp + "\n" + Source.of(setUp) + "\n"
                            + String.join("\n", found);
                    differences.add(difference);
                    System.out.println(difference); // a long run is not waited for
                }
            }
        }
    }

    private List<String> differences(SetUp setUp, Class<?> type) throws Exception {
        List<Question> questions = Question.few(new Random(~setUp.seed()));
        Map<Question, Reply> alone = new HashMap<>();
        try (Application plain = new Application(setUp, type, false)) {
            for (Question question : questions) {
                alone.put(question, threads.submit(() -> plain.ask(question)).get(SECONDS, TimeUnit.SECONDS));
            }
        } catch (RuntimeException impossibleToo) {
            impossible++;
            reasons.merge(Reply.rootOf(impossibleToo), 1, Integer::sum);
            return List.of();
        }
        try (Application collapsing = new Application(setUp, type, true)) {
            if (mustBeRefused(setUp)) {
                return List.of("  it starts, and should be refused");
            }
            compared++;
            return together(setUp, collapsing, questions, alone);
        } catch (RuntimeException failure) {
            InvalidCollapsingException refusal = refusal(failure);
            if (refusal == null || !mayBeRefused(setUp)) {
                return List.of("  it does not start: " + (refusal == null ? failure : refusal.getMessage()));
            }
            refused++;
            return List.of();
        }
    }

    private List<String> together(
            SetUp setUp, Application collapsing, List<Question> questions, Map<Question, Reply> alone)
            throws Exception {
        collapsing.backend().pause(PAUSE_NANOS);
        CyclicBarrier together = new CyclicBarrier(CALLERS);
        List<Future<List<String>>> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            Random random = new Random(setUp.seed() + caller);
            callers.add(threads.submit(() -> {
                List<String> found = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) {
                    Question question = questions.get(random.nextInt(questions.size()));
                    together.await(SECONDS, TimeUnit.SECONDS);
                    Reply reply = collapsing.ask(question);
                    Reply expected = alone.get(question);
                    boolean stale = reply.isStale() && setUp.isFresh(question.place() == Question.Place.TRANSACTION);
                    if (stale
                            || expected == null
                            || !(reply.text().equals(expected.text()) || isExplained(setUp, reply, expected))) {
                        found.add("  " + question + "\n    alone:    " + expected + "\n    together: " + reply);
                    }
                }
                return found;
            }));
        }
        List<String> found = new ArrayList<>();
        for (Future<List<String>> caller : callers) {
            try {
                found.addAll(caller.get(SECONDS, TimeUnit.SECONDS));
            } catch (TimeoutException hangs) {
                found.add("  a caller hangs");
                caller.cancel(true);
            }
        }
        calls += CALLERS * ROUNDS;
        executions += collapsing.backend().executions();
        boolean passesAll = setUp.layers().equals(List.of(Layer.AUDIT));
        if (passesAll && collapsing.backend().audited() != CALLERS * ROUNDS) {
            found.add("  the aspect has seen " + collapsing.backend().audited() + " of " + CALLERS * ROUNDS + " calls");
        }
        return found;
    }

    /** What the pages say: arguments that nothing compares fail at the first call. And a circuit breaker counts what is called. */
    private static boolean isExplained(SetUp setUp, Reply reply, Reply expected) {
        boolean incomparable = setUp.other() == Argument.ARRAY_AS_OBJECT
                && reply.text().contains("which has no equals that compares its content");
        boolean breaks = setUp.has(Layer.CIRCUIT_BREAKER) && (isBroken(reply.text()) || isBroken(expected.text()));
        return incomparable || breaks;
    }

    private static boolean isBroken(String text) {
        return text.contains("CallNotPermitted");
    }

    private static @Nullable InvalidCollapsingException refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidCollapsingException refusal) {
                return refusal;
            }
        }
        return null;
    }

    private static boolean mustBeRefused(SetUp setUp) {
        return setUp.returned().isRefused()
                || setUp.other().isRefused()
                || setUp.shape() == SetUp.Shape.FINAL
                || setUp.has(Layer.POST_FILTER);
    }

    /** Besides, nothing that every caller must pass may be inside of a transaction. */
    private static boolean mayBeRefused(SetUp setUp) {
        return mustBeRefused(setUp) || setUp.has(Layer.TRANSACTION);
    }
}

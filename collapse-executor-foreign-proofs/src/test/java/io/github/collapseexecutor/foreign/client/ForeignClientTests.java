package io.github.collapseexecutor.foreign.client;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.foreign.client.Question.Reading;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients with what libraries put around them, at random: callers get with collapsing what callers get without it, and no connection stays in use.
 *
 * <p>The seed of a set-up that differs is in its message; {@code foreign.seed} gives the same one again. {@code foreign.minutes} says how long
 * further seeds are drawn, for each library.
 */
class ForeignClientTests {

    /** The libraries. */
    enum Of {
        SPRING,
        OK_HTTP,
        RETROFIT,
        APACHE,
        JDK,
        WEB_CLIENT,
        FEIGN,
        CLOUD_FEIGN;

        Library library() {
            return switch (this) {
                case SPRING -> new SpringLibrary();
                case OK_HTTP -> new OkHttpLibrary();
                case APACHE -> new ApacheLibrary();
                case JDK -> new JdkLibrary();
                case WEB_CLIENT -> new WebClientLibrary();
                case FEIGN -> new FeignLibrary();
                case RETROFIT -> new RetrofitLibrary();
                case CLOUD_FEIGN -> new CloudFeignLibrary();
            };
        }

        boolean hasNetty() {
            return this == SPRING || this == WEB_CLIENT;
        }
    }

    private static final int FIXED = Integer.getInteger("foreign.seeds", 25);
    private static final int SECONDS = 60;
    private static final List<Reading> READINGS = List.of(Reading.values());
    private static final List<String> USERS = List.of("ann", "ann", "ann", "bob");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final NettyLeaks leaks = new NettyLeaks();

    @AfterEach
    void stop() {
        leaks.close();
    }

    @Test
    void aBufferThatLeaksIsReported() {
        assertThat(leaks.reports()).isEmpty();
        int unused = PooledByteBufAllocator.DEFAULT.buffer(1).capacity();
        assertThat(leaks.reports()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void callersGetThroughForeignLayersWhatTheyGetWithoutCollapsing(Of of) throws Exception {
        Long again = Long.getLong("foreign.seed");
        int fixed = of == Of.JDK ? 2 * FIXED : FIXED; // its callers have readers of their own
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(Integer.getInteger("foreign.minutes", 0));
        List<String> differences = new ArrayList<>();
        int requests = 0;
        Calls without = new Calls();
        Calls with = new Calls();
        try (Origin origin = new Origin()) {
            long seed = again == null ? 1 : again;
            do {
                List<List<Question>> callers = callers(seed, origin);
                requests += callers.stream().mapToInt(List::size).sum();
                differences.addAll(differences(of, seed, origin, callers, without, with));
                seed = seed < fixed ? seed + 1 : new Random().nextLong();
            } while (again == null && ((seed > 0 && seed <= fixed) || System.nanoTime() < until));
        } finally {
            threads.shutdownNow();
        }
        System.out.println(
                of + ": " + requests + " requests, " + without + " calls without and " + with + " with collapsing");
        assertThat(differences).as("%s", of).isEmpty();
    }

    /** The requests that have reached the origin, and how many of them belonged to a trace. */
    private static final class Calls {

        // mutable, confined to the test's thread
        private int asked;
        private int traced;

        void add(Origin origin) {
            asked += origin.takeAsked();
            traced += origin.takeTraced();
        }

        @Override
        public String toString() {
            return asked + " (" + traced + " traced)";
        }
    }

    /** Asks twice without collapsing, and then with it. */
    private List<String> differences(
            Of of, long seed, Origin origin, List<List<Question>> callers, Calls callsWithout, Calls callsWith)
            throws Exception {
        List<String> found = new ArrayList<>();
        Map<Question, Set<String>> without = new LinkedHashMap<>();
        Map<Question, Set<String>> with = new LinkedHashMap<>();
        String name = run(of, seed, origin, callers, false, without, found);
        callsWithout.add(origin);
        run(of, seed, origin, callers, true, with, found);
        callsWith.add(origin);
        with.forEach((question, replies) -> {
            Set<String> others = new TreeSet<>(replies);
            Set<String> known = without.getOrDefault(question, Set.of());
            others.removeAll(known);
            others.removeIf(reply -> isDocumented(question, reply, known));
            if (!others.isEmpty()) {
                found.add("\n-Dforeign.seed=" + seed + " " + name + "\n  " + question + "\n  with:    " + others
                        + "\n  without: " + without.get(question));
            }
        });
        return found;
    }

    /**
     * A body that breaks off is a failure for each caller that may share it, in the words of its library, even for one that reads nothing. And a
     * caller that reads nothing over Reactor Netty may fail without collapsing, where its response is closed twice; one that is collected is not.
     */
    private static boolean isDocumented(Question question, String reply, Set<String> without) {
        return Origin.breaksOff(question.path())
                ? reply.startsWith("failed ")
                : question.reading() == Reading.HEAD
                        && without.stream().allMatch(other -> other.contains("java.lang.IllegalStateException"));
    }

    /** Three to twelve callers, with one to three questions each, of a few that all have in common. */
    private static List<List<Question>> callers(long seed, Origin origin) {
        Random random = new Random(~seed * 0x9E3779B97F4A7C15L);
        List<String> paths = LongStream.range(0, 2)
                .mapToObj(i -> origin.paths().get(random.nextInt(origin.paths().size())))
                .toList();
        List<List<Question>> callers = new ArrayList<>();
        int count = 3 + random.nextInt(10);
        int rounds = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            List<Question> questions = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                questions.add(new Question(
                        paths.get(random.nextInt(3) / 2),
                        USERS.get(random.nextInt(USERS.size())),
                        READINGS.get(random.nextInt(READINGS.size()))));
            }
            callers.add(questions);
        }
        return callers;
    }

    private String run(
            Of of,
            long seed,
            Origin origin,
            List<List<Question>> callers,
            boolean collapses,
            Map<Question, Set<String>> replies,
            List<String> found)
            throws Exception {
        Draw draw = new Draw(seed, collapses);
        String where;
        try (Asker asker = of.library().make(draw)) {
            where = "-Dforeign.seed=" + seed + " " + (collapses ? "with " : "without ") + draw;
            List<Future<List<String>>> answers = new ArrayList<>();
            for (List<Question> caller : callers) {
                answers.add(threads.submit(() -> asked(asker, seed, origin, caller)));
            }
            for (int i = 0; i < callers.size(); i++) {
                try {
                    List<String> told = answers.get(i).get(SECONDS, TimeUnit.SECONDS);
                    for (int q = 0; q < told.size(); q++) {
                        replies.computeIfAbsent(callers.get(i).get(q), asked -> new TreeSet<>())
                                .add(told.get(q));
                    }
                } catch (TimeoutException e) {
                    found.add("\n" + where + "\n  no answer: " + callers.get(i) + "\n" + traces());
                    answers.get(i).cancel(true);
                }
            }
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (asker.connectionsInUse() > 0 && System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            if (asker.connectionsInUse() > 0) {
                found.add("\n" + where + "\n  " + asker.connectionsInUse() + " connections stay in use " + callers);
            }
        }
        if (of.hasNetty()) {
            leaks.reports().forEach(report -> found.add("\n" + where + "\n  " + callers + "\n  " + report));
        }
        return draw.toString();
    }

    private static String traces() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("pool-"))
                .map(thread -> thread.getKey().getName() + "\n    "
                        + List.of(thread.getValue()).stream()
                                .limit(40)
                                .map(StackTraceElement::toString)
                                .collect(joining("\n    ")))
                .collect(joining("\n"));
    }

    private static List<String> asked(Asker asker, long seed, Origin origin, List<Question> questions) {
        List<String> told = new ArrayList<>();
        for (Question question : questions) {
            Reply reply = new Reply(question);
            try {
                asker.ask(origin.uri("s" + seed, question), reply);
                told.add(reply.ended());
            } catch (Exception e) {
                told.add(reply.failed(e));
            }
        }
        return told;
    }
}

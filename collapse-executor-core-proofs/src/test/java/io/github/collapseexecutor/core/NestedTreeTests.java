package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.NestedTree.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * Trees of nested calls at random: up to three calls of each function, side by side, one after another or together, by the
 * thread or by the handle, of up to three executors of any kind and options. Every caller is answered, and nothing remains.
 *
 * <p>The seed of a tree that fails is in its message; {@code nested.seed} gives the same executors and questions again, if not the
 * same interleaving. {@code nested.trees} says how many there are.
 */
class NestedTreeTests {

    private static final int TREES = Integer.getInteger("nested.trees", 600);
    private static final int CALLERS = 6;
    private static final int SECONDS = 20;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @Test
    void P08_noTreeOfNestedCallsWaitsForItself() throws Exception {
        Long again = Long.getLong("nested.seed");
        long first = again == null ? ThreadLocalRandom.current().nextLong() : again;
        try {
            for (int i = 0; i < TREES; i++) {
                askTree(again == null ? first + i : again);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void askTree(long seed) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            NestedTree tree = new NestedTree(seed, threads, pool);
            Random random = new Random(seed);
            List<Asked> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                callers.add(ask(tree, random.nextInt(2), new Question(0, random.nextInt(tree.keys())), threads));
            }
            for (Asked caller : callers) {
                caller.expectAnswer(tree, seed);
            }
            Eventually.untilEmpty(tree::left);
        } finally {
            pool.shutdownNow();
        }
    }

    private record Asked(int member, Question question, CompletableFuture<String> answer) {

        void expectAnswer(NestedTree tree, long seed) throws Exception {
            String where = "-Dnested.seed=" + seed + " (" + tree + ")";
            try {
                String given = answer.get(SECONDS, TimeUnit.SECONDS);
                assertThat(tree.answers(member, question, given))
                        .as("%s was answered %s; %s", question, given, where)
                        .isTrue();
            } catch (TimeoutException e) {
                throw new AssertionError("a caller waits for ever; " + where, e);
            } catch (ExecutionException e) {
                if (tree.mayFail() && NestedTree.FailedQuestionException.isCauseOf(e)) {
                    return;
                }
                throw new AssertionError("a call failed; " + where, e.getCause());
            }
        }
    }

    private static Asked ask(NestedTree tree, int member, Question question, Executor threads) {
        CompletableFuture<String> answer =
                CompletableFuture.completedFuture(member).thenComposeAsync(asked -> tree.ask(asked, question), threads);
        return new Asked(member, question, answer);
    }
}

package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CallOptions;
import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutorBlockingSupport;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.Input;
import io.github.collapseexecutor.core.InputOutcome;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The examples that need the core only. */
class CoreExamplesTests {

    private static final User SEVEN = new User(7, "user 7");

    private final UserClient client = new UserClient();

    @Test
    void blocking() throws Exception {
        // readme:begin blocking
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();

        User user = executor.execute("user 7", () -> client.fetch(7));
        // readme:end
        assertThat(user).isEqualTo(SEVEN);
    }

    @Test
    void async() throws Exception {
        // readme:begin async
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor();

        CompletableFuture<User> user = executor.execute("user 7", () -> client.fetch(7));
        // readme:end
        assertThat(user.get()).isEqualTo(SEVEN);
    }

    @Test
    void future() throws Exception {
        // readme:begin future
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor();

        CompletableFuture<User> user = executor.execute("user 7", () -> client.fetchAsync(7));
        // readme:end
        assertThat(user.get()).isEqualTo(SEVEN);
    }

    @Test
    void byKey() throws Exception {
        // readme:begin by-key
        BlockingCollapseExecutor<Long, User> users =
                CollapseExecutors.blockingByKey(client::fetchAll, MissingKeyPolicy.NULL, CollapseOptions.defaults());

        User user = users.execute(7L);
        // readme:end
        assertThat(user).isEqualTo(SEVEN);
    }

    @Test
    void byItem() throws Exception {
        // readme:begin by-item
        BlockingCollapseExecutor<Long, User> users = CollapseExecutors.blockingByItem(
                ids -> client.fetchAll(ids).values(), User::id, MissingKeyPolicy.NULL, CollapseOptions.defaults());
        // readme:end
        assertThat(users.execute(7L)).isEqualTo(SEVEN);
    }

    @Test
    void failurePerKey() throws Exception {
        // readme:begin failure-per-key
        BlockingCollapseExecutor<Long, User> users = CollapseExecutors.blockingByKey(
                ids -> KeyedResult.of(client.fetchAll(ids), client.failuresOf(ids)),
                MissingKeyPolicy.NULL,
                CollapseOptions.defaults());
        // readme:end
        assertThat(users.execute(7L)).isEqualTo(SEVEN);
        assertThatThrownBy(() -> users.execute(-7L)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void groupBy() throws Exception {
        // readme:begin group-by
        BlockingCollapseExecutor<Long, User> usersByShard = CollapseExecutors.blockingByKey(
                client::fetchAll,
                MissingKeyPolicy.NULL,
                CollapseOptions.defaults().groupBy((Long id) -> id % 16));
        // readme:end
        assertThat(usersByShard.execute(7L)).isEqualTo(SEVEN);
    }

    @Test
    void support() throws Exception {
        assertThat(new Users().execute(7L)).isEqualTo(SEVEN);
    }

    @Test
    void options() throws Exception {
        List<BatchSummary> batches = new ArrayList<>();
        // readme:begin options
        CollapseOptions options = CollapseOptions.builder()
                .name("users")
                .maxBatchSize(100)
                .maxPending(10_000)
                .callTimeout(Duration.ofSeconds(2))
                .listener(batch -> batches.add(batch))
                .build();
        // readme:end
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options);
        assertThat(executor.<User>execute("user 7", () -> client.fetch(7))).isEqualTo(SEVEN);
        assertThat(batches).extracting(BatchSummary::executor).containsExactly("users");
    }

    @Test
    void groupCommit() {
        // readme:begin group-commit
        CollapseOptions groupCommit = CollapseOptions.builder()
                .maxConcurrentBatches(1) // while one batch is written, the next one gathers
                .maxBatchSize(200)
                .build();
        // readme:end
        assertThat(groupCommit.maxConcurrentBatches()).isEqualTo(1);
    }

    @Test
    void boundOfAllGroups() throws Exception {
        // readme:begin total-limit
        CollapseOptions twoAtMost = CollapseOptions.builder()
                .maxConcurrentBatchesTotal(2) // of all groups together
                .build();
        // readme:end
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AsyncCallableGroupCollapseExecutor api = new AsyncCallableGroupCollapseExecutor(twoAtMost);
        List<CompletableFuture<Integer>> answers = IntStream.range(0, 20)
                .mapToObj(group -> api.execute(group, () -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    running.decrementAndGet();
                    return group;
                }))
                .toList();
        for (int group = 0; group < 20; group++) {
            assertThat(answers.get(group).get()).isEqualTo(group);
        }
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void weight() throws Exception {
        // readme:begin weight
        CollapseOptions oneMebibyte =
                CollapseOptions.builder().maxBatchWeight(1 << 20).build();
        BlockingCollapseExecutor<byte[], Long> blobs =
                CollapseExecutors.blockingInOrder(client::storeAll, oneMebibyte.weighBy((byte[] blob) -> blob.length));
        // readme:end
        assertThat(blobs.execute(new byte[7])).isEqualTo(7);
    }

    @Test
    void callOptions() throws Exception {
        Users users = new Users();
        CompletableFuture<Void> requestEnded = new CompletableFuture<>();
        // readme:begin call-options
        CallOptions mine =
                CallOptions.defaults().timeout(Duration.ofMillis(200)).cancelSignal(requestEnded);
        User user = users.execute(7L, mine);
        // readme:end
        assertThat(user).isEqualTo(SEVEN);
    }

    @Test
    void manyAtOnce() throws Exception {
        List<Long> ids = List.of(7L, -7L);
        BlockingCollapseExecutor<Long, User> users = CollapseExecutors.blockingByKey(
                keys -> KeyedResult.of(client.fetchAll(keys), client.failuresOf(keys)),
                MissingKeyPolicy.NULL,
                CollapseOptions.defaults());
        // readme:begin many-at-once
        List<User> page = users.executeAll(List.of(7L, 8L, 7L)); // one request, together with what others ask for
        List<User> shown = new ArrayList<>();
        for (InputOutcome<User> outcome : users.executeEach(ids)) {
            shown.add(outcome.failure() == null ? outcome.output() : User.UNKNOWN);
        }
        // readme:end
        assertThat(page).containsExactly(SEVEN, new User(8, "user 8"), SEVEN);
        assertThat(shown).containsExactly(SEVEN, User.UNKNOWN);
        assertThatThrownBy(() -> users.executeAll(ids)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void inFlight() throws Exception {
        // readme:begin in-flight
        CollapseOptions singleFlight = CollapseOptions.builder()
                .joinMode(JoinMode.IN_FLIGHT) // a report is made once, however long it takes
                .maxJoinAge(Duration.ofMinutes(1)) // a later caller does not join one that hangs
                .build();
        // readme:end
        BlockingCallableGroupCollapseExecutor reports = new BlockingCallableGroupCollapseExecutor(singleFlight);
        assertThat(reports.<User>execute("user 7", () -> client.fetch(7))).isEqualTo(SEVEN);
    }

    @Test
    void forget() throws Exception {
        BlockingCollapseExecutor<Long, User> users = CollapseExecutors.blockingByKey(
                client::fetchAll,
                MissingKeyPolicy.NULL,
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        // readme:begin forget
        client.rename(7, "Ada");
        users.forget(7L); // no later caller gets what was read before
        // readme:end
        assertThat(users.execute(7L)).isEqualTo(new User(7, "Ada"));
    }

    @Test
    void lifeCycle() throws Exception {
        Users users = new Users();
        // readme:begin life-cycle
        CollapseCounts counts = users.counts(); // callers, gathering, batchesInFlight, groups
        boolean ended = users.close(Duration.ofSeconds(5)); // or close(), which waits for 30 seconds at most
        // readme:end
        assertThat(counts.callers()).isZero();
        assertThat(ended).isTrue();
        assertThatThrownBy(() -> users.execute(7L)).isInstanceOf(ExecutorClosedException.class);
    }

    // readme:begin support
    class Users extends CollapseExecutorBlockingSupport<Long, User, Map<Long, User>> {
        @Override
        protected Map<Long, User> doExecute(Collection<Input<Long>> inputs) {
            return client.fetchAll(inputs.stream().map(Input::value).toList());
        }

        @Override
        protected void bindingOutput(Map<Long, User> users, List<Bundle<Long, User>> bundles) {
            bundles.forEach(bundle -> bundle.bindOutput(users.get(bundle.getInput())));
        }
    }
    // readme:end
}

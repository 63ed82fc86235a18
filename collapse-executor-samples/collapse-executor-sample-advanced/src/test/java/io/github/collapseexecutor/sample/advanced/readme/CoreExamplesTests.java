package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorBlockingSupport;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.Input;
import io.github.collapseexecutor.core.MissingKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples that need the core only. */
@Timeout(300)
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
                CollapseExecutors.blockingByKey(client::fetchAll, MissingKey.NULL, CollapseOptions.defaults());

        User user = users.execute(7L);
        // readme:end
        assertThat(user).isEqualTo(SEVEN);
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

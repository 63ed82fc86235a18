package io.github.collapseexecutor.foreign.redis;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** An instance of an application: it shares nothing with another one but Redis. */
final class Instance implements AutoCloseable {

    private static final ResultCodec<@Nullable String> TEXT = ResultCodec.of(
            text -> text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8),
            bytes -> new String(bytes, StandardCharsets.UTF_8));

    /** Asks for the value of a key. */
    private interface Asking {
        @Nullable String ask(String key) throws Exception;
    }

    // immutable
    private final Backend backend;
    private final Executor threads;
    private final List<Runnable> closing = new ArrayList<>();
    private final ClusterCalls calls;
    private final Asking asking;

    Instance(SetUp setUp, Servers servers, Backend backend, Executor threads) {
        this.backend = backend;
        this.threads = threads;
        this.calls = new ClusterCalls(setUp.client().connect(servers, closing::add), setUp.options());
        this.asking = asking(setUp.way());
        calls.connect();
    }

    private Asking asking(SetUp.Way way) {
        return switch (way) {
            case CALL -> {
                BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
                yield key -> executor.execute(key, calls.shared(key, () -> backend.read(key), TEXT));
            }
            case STAGE -> {
                FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor();
                yield key -> executor.execute(key, calls.sharedStage(key, () -> later(() -> backend.read(key)), TEXT))
                        .get();
            }
            case KEYS -> {
                BlockingCollapseExecutor<String, @Nullable String> executor = CollapseExecutors.blockingByKey(
                        calls.sharedByKey("values", backend::readAll, TEXT),
                        MissingKeyPolicy.NULL,
                        CollapseOptions.defaults());
                yield executor::execute;
            }
            case KEYS_STAGE -> {
                FutureCollapseExecutor<String, @Nullable String> executor = CollapseExecutors.futureByKey(
                        calls.sharedByKeyStage("values", keys -> later(() -> backend.readAll(keys)), TEXT),
                        MissingKeyPolicy.NULL,
                        CollapseOptions.defaults());
                yield key -> executor.execute(key).get();
            }
        };
    }

    private <T extends @Nullable Object> CompletableFuture<T> later(Callable<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                answer.complete(call.call());
            } catch (Exception failure) {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    @Nullable String ask(String key) throws Exception {
        return asking.ask(key);
    }

    ClusterCalls calls() {
        return calls;
    }

    @Override
    public void close() {
        calls.close();
        closing.forEach(Runnable::run);
    }
}

package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Many inputs that one thread submits together to an executor whose callers hold futures. */
final class FutureBulk<I extends @Nullable Object, O extends @Nullable Object, R extends @Nullable Object> {

    // immutable
    private final FutureRunner<I, O, ?, R> runner;
    private final CollapseEngine<I, O> engine;

    FutureBulk(FutureRunner<I, O, ?, R> runner) {
        this.runner = runner;
        this.engine = runner.engine();
    }

    List<CompletableFuture<R>> execute(
            Collection<? extends I> submitted, Function<? super I, ?> groupOf, CallOptions options) {
        List<I> inputs = new ArrayList<>(submitted);
        engine.checkJoinMode(options.joinMode());
        Object[] groups = new Object[inputs.size()];
        Throwable[] failures = new Throwable[inputs.size()];
        for (int i = 0; i < groups.length; i++) {
            try {
                groups[i] = groupOf.apply(inputs.get(i));
            } catch (Throwable failure) {
                failures[i] = failure;
            }
        }
        CompletableFuture<?> cancelSignal = options.cancelSignal();
        boolean cancelled = cancelSignal != null && cancelSignal.isDone(); // may throw, so before the calls are counted
        engine.admission().acquireAll(Arrays.asList(groups));
        List<CompletableFuture<R>> futures = new ArrayList<>(groups.length);
        Map<UserKey, List<FutureCall<I, O, R>>> byGroup = new LinkedHashMap<>();
        for (int i = 0; i < groups.length; i++) {
            FutureCall<I, O, R> call = runner.newCall(inputs.get(i), options);
            futures.add(call.future);
            try {
                if (failures[i] != null) {
                    call.future.fail(failures[i]);
                } else if (cancelled) {
                    call.future.fail(new CancellationException());
                } else if (!call.future.isDone()) {
                    byGroup.computeIfAbsent(new UserKey(groups[i]), unused -> new ArrayList<>())
                            .add(call);
                }
            } catch (Throwable failure) {
                call.future.fail(failure);
            }
        }
        byGroup.forEach((group, calls) -> submit(group.value(), calls, options));
        return Collections.unmodifiableList(futures);
    }

    /** One group after another: a batch that has been released waits for nothing that another one of them does. */
    private void submit(@Nullable Object group, List<FutureCall<I, O, R>> calls, CallOptions options) {
        for (List<FutureCall<I, O, R>> rest = calls; !rest.isEmpty(); ) {
            BulkSubmission<I, O> submitted;
            try {
                submitted = engine.submitAll(
                        requireNonNull(group), rest, rest.get(0).from());
            } catch (Throwable failure) {
                rest.forEach(call -> call.future.fail(failure));
                return;
            }
            runner.follow(group, rest.subList(0, submitted.taken), submitted, options);
            rest = rest.subList(submitted.taken, rest.size());
        }
    }

    /** A future of all outputs; it completes when all futures have, with the first failure among them if there is one. */
    static <R extends @Nullable Object> CompletableFuture<List<R>> all(List<CompletableFuture<R>> futures) {
        CompletableFuture<List<R>> all = new CompletableFuture<>();
        List<R> outputs = new ArrayList<>(Collections.nCopies(futures.size(), ResultSlot.<R>cast(null)));
        Throwable[] failures = new Throwable[futures.size()];
        AtomicInteger left = new AtomicInteger(futures.size() + 1);
        Runnable ended = () -> {
            if (left.decrementAndGet() == 0) {
                complete(all, outputs, failures);
            }
        };
        for (int i = 0; i < failures.length; i++) {
            int index = i;
            Stages.whenEnded(futures.get(i), (output, failure) -> {
                if (failure == null) {
                    outputs.set(index, output);
                } else {
                    failures[index] = failure;
                }
                ended.run();
            });
        }
        ended.run();
        Stages.whenEnded(all, (value, failure) -> futures.forEach(future -> future.cancel(false)));
        return all;
    }

    private static <R extends @Nullable Object> void complete(
            CompletableFuture<List<R>> all, List<R> outputs, Throwable[] failures) {
        for (Throwable failure : failures) {
            if (failure != null) {
                all.completeExceptionally(failure);
                return;
            }
        }
        all.complete(Collections.unmodifiableList(outputs));
    }
}

package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a thread that closes an executor waits for: answers that are on their way, and the listener; but not for itself. */
class CloseAgainstDeliveryTests {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Backend backend = new Backend();
    private final CollapseOptions oneAtATime =
            CollapseOptions.builder().name("users").maxConcurrentBatches(1).build();
    private final FutureCollapseExecutor<String, String> executor = onThreads();

    private FutureCollapseExecutor<String, String> onThreads() {
        return CollapseExecutors.asyncInOrder(
                backend::outputs, oneAtATime.groupBy(Subject::group), task -> new Thread(task).start());
    }

    @Test
    void P12_everyFutureIsCompleteWhenCloseReturns() throws Exception {
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        CompletableFuture<String> held = executor.execute("held");
        Execution holding = backend.next();
        CompletableFuture<Void> slow = executor.execute("first").thenAccept(answer -> goOn.join());
        CompletableFuture<String> behind = executor.execute("second");
        holding.succeed();
        held.get(10, TimeUnit.SECONDS);
        backend.next().succeed();
        Eventually.until(() -> executor.counts().groups() == 0);
        Closer closer = new Closer(executor, LONG).awaitWaiting();
        assertThat(slow).isNotDone();
        goOn.complete(null);
        assertThat(closer.result()).isTrue();
        assertThat(behind).isCompletedWithValue("answer to second");
        slow.get(10, TimeUnit.SECONDS);
    }

    @Test
    void P12_anActionThatDependsOnAFutureMayClose() throws Exception {
        CompletableFuture<String> held = executor.execute("held");
        Execution holding = backend.next();
        CompletableFuture<Boolean> closing = executor.execute("first").thenApply(answer -> executor.close(LONG));
        CompletableFuture<String> behind = executor.execute("second");
        holding.succeed();
        held.get(10, TimeUnit.SECONDS);
        backend.next().succeed();
        assertThat(closing.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(behind.get(10, TimeUnit.SECONDS)).isEqualTo("answer to second");
    }

    @ParameterizedTest
    @EnumSource
    void P12_theListenerHasBeenToldWhenCloseReturns(Kind kind) throws Exception {
        CompletableFuture<Void> telling = new CompletableFuture<>();
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        AtomicBoolean told = new AtomicBoolean();
        CollapseListener slow = new CollapseListener() {
            @Override
            public void batchEnded(BatchSummary batch) {
                telling.complete(null);
                goOn.join();
                told.set(true);
            }
        };
        Subject subject = kind.subject(oneAtATime.toBuilder().listener(slow).build(), backend.answering());
        CompletableFuture<Caller> caller = CompletableFuture.supplyAsync(
                () -> subject.submit("a"), task -> new Thread(task).start()); // which may be the one that is told
        telling.get(10, TimeUnit.SECONDS);
        Closer closer = new Closer(subject.executor(), LONG).awaitWaiting();
        goOn.complete(null);
        assertThat(closer.result()).isTrue();
        assertThat(told).isTrue();
        caller.get(10, TimeUnit.SECONDS).output();
    }

    @ParameterizedTest
    @EnumSource
    void P12_aListenerMayClose(Kind kind) throws Exception {
        CompletableFuture<Subject> subject = new CompletableFuture<>();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        CollapseListener closing = new CollapseListener() {
            @Override
            public void batchEnded(BatchSummary batch) {
                closed.complete(subject.join().executor().close(LONG));
            }
        };
        subject.complete(kind.subject(oneAtATime.toBuilder().listener(closing).build(), backend.answering()));
        Caller caller = subject.join().submit("a");
        assertThat(closed.get(10, TimeUnit.SECONDS)).isTrue();
        caller.output();
    }

    @Test
    void P12_threadsThatCloseWhileTheyDeliverDoNotWaitForOneAnother() throws Exception {
        CompletableFuture<Void> bothDeliver = new CompletableFuture<>();
        CompletableFuture<Void> inTwo = new CompletableFuture<>();
        CompletableFuture<Boolean> one = executor.execute("one/x").thenApply(answer -> {
            bothDeliver.join();
            return executor.close(LONG);
        });
        Execution inOne = backend.next();
        CompletableFuture<Boolean> two = executor.execute("two/x").thenApply(answer -> {
            inTwo.complete(null);
            bothDeliver.join();
            return executor.close(LONG);
        });
        backend.next().succeed();
        inTwo.get(10, TimeUnit.SECONDS);
        inOne.succeed();
        bothDeliver.complete(null);
        assertThat(one.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(two.get(10, TimeUnit.SECONDS)).isTrue();
    }

    /** A future behind another of its batch, whose dependent holds up the thread that delivers until {@code goOn}. */
    private CompletableFuture<String> heldUpBehindADependent(CompletableFuture<Void> goOn) throws Exception {
        CompletableFuture<String> ahead = executor.execute("held/ahead");
        Execution first = backend.next();
        CompletableFuture<Void> delivering = new CompletableFuture<>();
        CompletableFuture<Void> unused = executor.execute("held/slow").thenAccept(answer -> {
            delivering.complete(null);
            goOn.join();
        });
        CompletableFuture<String> behind = executor.execute("held/behind");
        first.succeed();
        ahead.get(10, TimeUnit.SECONDS);
        backend.next().succeed();
        delivering.get(10, TimeUnit.SECONDS);
        return behind;
    }

    /** Closes in a dependent of a future of {@code by}, while another thread delivers. */
    private void expectWaitsForTheOtherThread(FutureCollapseExecutor<String, String> by) throws Exception {
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        CompletableFuture<String> behind = heldUpBehindADependent(goOn);
        CompletableFuture<Thread> closing = new CompletableFuture<>();
        CompletableFuture<Boolean> complete = by.execute("closing/x").thenApply(answer -> {
            closing.complete(Thread.currentThread());
            return executor.close(LONG) && behind.isDone();
        });
        backend.next().succeed();
        Closer.awaitWaiting(closing.get(10, TimeUnit.SECONDS), complete);
        assertThat(complete).isNotDone();
        goOn.complete(null);
        assertThat(complete.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(behind).isCompletedWithValue("answer to held/behind");
    }

    @Test
    void P12_anActionThatDependsOnAFutureWaitsForTheDeliveriesOfOtherThreads() throws Exception {
        expectWaitsForTheOtherThread(executor);
    }

    @Test
    void P12_anActionThatDependsOnAFutureOfAnotherExecutorWaitsForEveryDelivery() throws Exception {
        expectWaitsForTheOtherThread(onThreads());
    }

    /** Looks, whenever a thread is woken, whether nothing is left; on a thread of its own, which delivers nothing itself. */
    private static final class Looking implements EngineScheduler {

        // mutable, by the test before the first thread is woken
        private Subject subject;
        private Caller caller;

        // mutable, thread-safe
        private final AtomicBoolean looking = new AtomicBoolean();
        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public long nanoTime() {
            return SystemScheduler.INSTANCE.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
            SystemScheduler.INSTANCE.park(blocker, nanos);
        }

        @Override
        public void unpark(Thread thread) {
            if (caller != null && looking.compareAndSet(false, true)) {
                CompletableFuture.runAsync(this::look, task -> new Thread(task).start())
                        .join();
                looking.set(false);
            }
            SystemScheduler.INSTANCE.unpark(thread);
        }

        private void look() {
            boolean nothingLeft = subject.engine().awaitEnd(Duration.ZERO);
            seen.add((nothingLeft ? "nothing" : "something") + " left, "
                    + (caller.end().isDone() ? "complete" : "incomplete"));
        }

        @Override
        public void yieldProcessor() {
            SystemScheduler.INSTANCE.yieldProcessor();
        }

        @Override
        public Future<?> schedule(Runnable task, long nanos) {
            return SystemScheduler.INSTANCE.schedule(task, nanos);
        }

        /** Submits a call, and lets a thread that closes wait for it. */
        private Closer closeAfterACall(CollapseOptions options, Backend backend) {
            subject = Kind.FUTURE.subject(options, backend, this);
            Caller submitted = subject.submit("a");
            Closer closer = new Closer(subject.executor(), LONG).awaitWaiting();
            caller = submitted;
            return closer;
        }

        private void expectNothingLeftOnlyWhenComplete() {
            assertThat(seen).contains("something left, incomplete").doesNotContain("nothing left, incomplete");
        }
    }

    @Test
    void P12_betweenTheEndOfItsGroupAndItsDeliveryABatchIsLeft() throws Exception {
        Looking looking = new Looking();
        Closer closer = looking.closeAfterACall(oneAtATime, backend);
        backend.next().succeed();
        assertThat(closer.result()).isTrue();
        looking.expectNothingLeftOnlyWhenComplete();
    }

    @Test
    void P12_aBatchThatFailsAtTheDeadlineOfOneCloserIsLeftForAnother() throws Exception {
        Looking looking = new Looking();
        CollapseOptions collecting = CollapseOptions.builder()
                .collectingWaitTime(Duration.ofHours(1))
                .build();
        Closer closer = looking.closeAfterACall(collecting, backend);
        assertThat(looking.subject.executor().close(Duration.ZERO)).isFalse();
        assertThat(closer.result()).isTrue();
        looking.seen.remove("something left, incomplete"); // at the beginning of the second close
        looking.expectNothingLeftOnlyWhenComplete();
    }
}

package io.github.collapseexecutor.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.gate.OnEachJdk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What callers are promised, over sources that are held, fail, lie and go back. */
@OnEachJdk
class SequencesTests {

    private final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();
    private final AtomicInteger trips = new AtomicInteger();

    private long add(String name, long amount) {
        trips.incrementAndGet();
        return counters.computeIfAbsent(name, any -> new AtomicLong()).addAndGet(amount);
    }

    private final SequenceSource source = SequenceSource.ofCounter(this::add, Set.of("a", "b"));

    /** The same, whose round trips wait to be let go. */
    private final class HeldSource implements SequenceSource {

        final CountDownLatch taking = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public long[] take(String name, int count) throws Exception {
            taking.countDown();
            goOn.await();
            return source.take(name, count);
        }
    }

    @Test
    void callersTakeEachNumberOnce() throws Exception {
        Sequences sequences = Sequences.of(source);
        long[] numbers = NumberProof.numbersOf(() -> sequences.next("a"));
        assertThat(numbers[0]).isEqualTo(1);
        assertThat(numbers[NumberProof.NUMBERS - 1]).isEqualTo(NumberProof.NUMBERS);
    }

    @Test
    void aCloseWaitsForThoseThatArePresentAndRefusesFurtherCalls() throws Exception {
        HeldSource held = new HeldSource();
        Sequences sequences = Sequences.of(held);
        CompletableFuture<Long> present = sequences.nextAsync("a");
        held.taking.await();
        assertThat(sequences.counts().callers()).isEqualTo(1);
        assertThat(sequences.close(Duration.ZERO)).isFalse();
        held.goOn.countDown();
        assertThat(present.get()).isEqualTo(1);
        sequences.close();
        assertThat(sequences.close(Duration.ofSeconds(30))).isTrue();
        assertThat(sequences.counts().callers()).isZero();
        assertThatThrownBy(() -> sequences.next("a")).isInstanceOf(ExecutorClosedException.class);
        assertThatThrownBy(() -> sequences.nextAsync("a")).isInstanceOf(ExecutorClosedException.class);
    }

    @Test
    void futuresGetEachNumberOnce() throws Exception {
        Sequences sequences = Sequences.of(source);
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            futures.add(sequences.nextAsync("a"));
        }
        List<Long> numbers = new ArrayList<>();
        for (CompletableFuture<Long> future : futures) {
            numbers.add(future.get());
        }
        assertThat(numbers).doesNotHaveDuplicates().isSorted().hasSize(1_000);
    }

    @Test
    void bothFormsShareTheNumbersOfASequence() throws Exception {
        Sequences sequences = Sequences.of(source);
        assertThat(sequences.next("a")).isEqualTo(1);
        assertThat(sequences.nextAsync("a").get()).isEqualTo(2);
        assertThat(sequences.next("a")).isEqualTo(3);
        assertThat(sequences.next("b")).isEqualTo(1);
    }

    @Test
    void callersThatWaitShareOneRoundTrip() throws Exception {
        HeldSource held = new HeldSource();
        Sequences sequences = Sequences.of(held);
        CompletableFuture<Long> first = sequences.nextAsync("a");
        held.taking.await();
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            waiting.add(sequences.nextAsync("a"));
        }
        held.goOn.countDown();
        assertThat(first.get()).isEqualTo(1);
        for (int i = 0; i < 99; i++) {
            assertThat(waiting.get(i).get()).isEqualTo(i + 2);
        }
        assertThat(trips).hasValue(2);
    }

    @Test
    void theFirstCallerGetsTheLowerNumberAndOneThatLeavesInTimeTakesNone() throws Exception {
        HeldSource held = new HeldSource();
        Sequences sequences = Sequences.of(held);
        FutureTask<Long> first = new FutureTask<>(() -> sequences.next("a"));
        new Thread(first, "first").start();
        held.taking.await();
        List<FutureTask<Long>> waiting = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            FutureTask<Long> task = new FutureTask<>(() -> sequences.next("a"));
            Thread thread = new Thread(task, "waiting " + i);
            waiting.add(task);
            threads.add(thread);
            thread.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING)
                            .contains(thread.getState()));
        }
        threads.get(2).interrupt();
        assertThatThrownBy(waiting.remove(2)::get).hasCauseInstanceOf(InterruptedException.class);
        held.goOn.countDown();
        assertThat(first.get()).isEqualTo(1);
        for (int i = 0; i < 5; i++) {
            assertThat(waiting.get(i).get()).isEqualTo(i + 2);
        }
        assertThat(counters.get("a")).hasValue(6);
        assertThat(trips).hasValue(2);
    }

    @Test
    void sequencesDoNotWaitForOneAnother() throws Exception {
        CountDownLatch taking = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        Sequences sequences = Sequences.of((name, count) -> {
            if (name.equals("a")) {
                taking.countDown();
                goOn.await();
            }
            return source.take(name, count);
        });
        CompletableFuture<Long> held = sequences.nextAsync("a");
        FutureTask<Long> heldThread = new FutureTask<>(() -> sequences.next("a"));
        new Thread(heldThread, "held").start();
        taking.await();
        assertThat(sequences.nextAsync("b").get()).isEqualTo(1);
        assertThat(sequences.next("b")).isEqualTo(2);
        assertThat(held).isNotDone();
        assertThat(heldThread).isNotDone();
        goOn.countDown();
        assertThat(List.of(held.get(), heldThread.get())).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void unknownNameIsAnErrorThatSaysWhichThereAre() {
        assertThatThrownBy(() -> Sequences.of(source).next("c"))
                .isInstanceOf(UnknownSequenceException.class)
                .hasMessageContaining("'c'")
                .hasMessageContaining("[a, b]");
        assertThat(counters).isEmpty();
    }

    @Test
    void aSourceThatGoesBackGivesNoNumber() throws Exception {
        Sequences sequences = Sequences.of(source);
        for (int i = 0; i < 5; i++) {
            sequences.next("a");
        }
        counters.get("a").set(2);
        assertThatThrownBy(() -> sequences.next("a"))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("gave 3 after 5")
                .hasMessageContaining("above 5");
        assertThatThrownBy(() -> sequences.nextAsync("a").get())
                .cause()
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("gave 4 after 5");
        counters.get("a").set(5);
        assertThat(sequences.next("a")).isEqualTo(6);
    }

    @Test
    void aRoundTripThatIsOvertakenGivesItsNumbersAndForgetsNoneOfTheOthers() throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Sequences sequences = Sequences.of((name, count) -> {
            long[] numbers = source.take(name, count);
            if (numbers[0] == 1) {
                taken.countDown();
                goOn.await();
            }
            return numbers;
        });
        CompletableFuture<Long> overtaken = sequences.nextAsync("a");
        taken.await();
        assertThat(sequences.next("a")).isEqualTo(2);
        goOn.countDown();
        assertThat(overtaken.get()).isEqualTo(1);
        counters.get("a").set(1);
        assertThatThrownBy(() -> sequences.next("a"))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("gave 2 after 2");
    }

    @Test
    void aSourceThatRunsBackwardsWithinARoundTripGivesNoNumber() throws Exception {
        CountDownLatch taking = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Sequences sequences = Sequences.of((name, count) -> {
            taking.countDown();
            goOn.await();
            return count == 1 ? new long[] {1} : new long[] {10, 9};
        });
        CompletableFuture<Long> first = sequences.nextAsync("a");
        taking.await();
        CompletableFuture<Long> second = sequences.nextAsync("a");
        CompletableFuture<Long> third = sequences.nextAsync("a");
        goOn.countDown();
        assertThat(first.get()).isEqualTo(1);
        assertThatThrownBy(second::get).hasMessageContaining("gave 9 after 10");
        assertThatThrownBy(third::get).hasMessageContaining("gave 9 after 10");
    }

    @Test
    void aSourceThatReturnsTooFewGivesNoNumber() {
        Sequences sequences = Sequences.of((name, count) -> new long[0]);
        assertThatThrownBy(() -> sequences.next("a"))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("returned 0 numbers instead of 1");
    }

    @Test
    void checkedFailureIsTheCauseOfASequenceException() {
        IOException broken = new IOException("broken pipe");
        Sequences sequences = Sequences.of((name, count) -> {
            throw broken;
        });
        assertThatThrownBy(() -> sequences.next("a"))
                .isInstanceOf(SequenceException.class)
                .hasMessage("No number of sequence 'a': broken pipe")
                .hasCause(broken);
        assertThatThrownBy(() -> sequences.nextAsync("a").get())
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(SequenceException.class)
                .hasCause(broken);
    }

    @Test
    void uncheckedFailureStaysWhatItIs() {
        Sequences sequences = Sequences.of((name, count) -> {
            throw new IllegalStateException("no");
        });
        assertThatThrownBy(() -> sequences.next("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
    }

    @Test
    void numbersThatNobodyWaitsForAreAGap() throws Exception {
        HeldSource held = new HeldSource();
        Sequences sequences = Sequences.of(held);
        CompletableFuture<Long> first = sequences.nextAsync("a");
        CompletableFuture<Long> companion = sequences.nextAsync("a");
        held.taking.await();
        assertThat(companion.cancel(false)).isTrue();
        held.goOn.countDown();
        assertThat(first.get()).isEqualTo(1);
        assertThatThrownBy(companion::get).isInstanceOf(CancellationException.class);
        assertThat(sequences.next("a")).isGreaterThan(1);
    }

    @Test
    void interruptedLeaderLosesNobodysNumber() throws Exception {
        CountDownLatch taking = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Sequences sequences = Sequences.of((name, count) -> {
            long[] numbers = source.take(name, count);
            if (calls.incrementAndGet() == 1) {
                taking.countDown();
                never.await(); // the numbers are taken, and the leader's interruption loses them
            }
            return numbers;
        });
        FutureTask<Long> leader = new FutureTask<>(() -> sequences.next("a"));
        Thread thread = new Thread(leader, "leader");
        thread.start();
        taking.await();
        FutureTask<Long> follower = new FutureTask<>(() -> sequences.next("a"));
        new Thread(follower, "follower").start();
        thread.interrupt();
        assertThatThrownBy(leader::get).hasCauseInstanceOf(InterruptedException.class);
        assertThat(follower.get()).isGreaterThan(1);
    }

    @Test
    void lateAnswerIsASequenceExceptionAndAGap() throws Exception {
        HeldSource held = new HeldSource();
        CollapseOptions options = Sequences.defaultOptions().toBuilder()
                .callTimeout(Duration.ofMillis(50))
                .build();
        Sequences sequences = Sequences.of(held, options);
        FutureTask<Long> leader = new FutureTask<>(() -> sequences.next("a"));
        new Thread(leader, "leader").start();
        held.taking.await();
        assertThatThrownBy(() -> sequences.next("a"))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("'a' in time")
                .hasCauseInstanceOf(TimeoutException.class);
        held.goOn.countDown();
        assertThat(leader.get()).isEqualTo(1);
    }

    @Test
    void executorOfTheFuturesIsTheOneThatWasSet() throws Exception {
        Sequences sequences = Sequences.of(source);
        sequences.setExecutor(task -> {
            throw new RejectedExecutionException("closed");
        });
        assertThatThrownBy(() -> sequences.nextAsync("a").get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(RejectedExecutionException.class);
        assertThat(sequences.next("a")).isEqualTo(1);
    }

    @Test
    void counterThatReturnsNullIsNamedWithItsRemedy() {
        SequenceSource.Counter inPipeline = (name, amount) -> null;
        Sequences sequences = Sequences.of(SequenceSource.ofCounter(inPipeline, Set.of("a")));
        assertThatThrownBy(() -> sequences.next("a"))
                .isInstanceOf(SequenceException.class)
                .hasMessage(
                        "No number of sequence 'a': its counter returned null for an increment by 1, as clients of Redis do"
                                + " inside a transaction or a pipeline; increment it outside");
    }

    @Test
    void sequencesThatAreNoLongerUsedAreForgottenAndOnesInUseAreNot() throws Exception {
        AtomicLong inUse = new AtomicLong();
        CheckedSource checked = new CheckedSource(
                (name, count) -> SequenceSource.endingAt(name.equals("in use") ? inUse.addAndGet(count) : 1, count));
        for (int day = 0; day < 3 * CheckedSource.REMEMBERED; day++) {
            String name = "orders of day " + day;
            checked.take(List.of(() -> name));
            checked.take(List.of(() -> "in use"));
        }
        assertThat(checked.rememberedCount()).isEqualTo(CheckedSource.REMEMBERED);
        inUse.set(7);
        assertThatThrownBy(() -> checked.take(List.of(() -> "in use")))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("its numbers may repeat");
    }

    @Test
    void badArgumentsAreNamed() {
        assertThatThrownBy(() -> SequenceSource.ofCounter(this::add, Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names is empty");
        assertThatThrownBy(() -> SequenceSource.endingAt(7, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("count is 0");
        assertThatThrownBy(() -> Sequences.of(source, null)).hasMessage("options");
        assertThatThrownBy(() -> Sequences.of(source).next(null)).hasMessage("name");
        assertThatThrownBy(() -> Sequences.of(source).nextAsync(null)).hasMessage("name");
    }

    /** The batch has asked for its numbers when a caller joins it, so that there is none for that caller. */
    @Test
    void callersMayNotJoinACallInFlight() {
        CollapseOptions joining = Sequences.defaultOptions().toBuilder()
                .joinMode(JoinMode.IN_FLIGHT)
                .build();
        assertThatThrownBy(() -> Sequences.of(source, joining))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("options.joinMode is IN_FLIGHT")
                .hasMessageContaining("it must be FRESH");
    }

    @Test
    void numbersOfAnIncrementEndAtWhatItCameTo() {
        assertThat(SequenceSource.endingAt(7, 3)).containsExactly(5, 6, 7);
        assertThat(SequenceSource.endingAt(Long.MAX_VALUE, 2)).containsExactly(Long.MAX_VALUE - 1, Long.MAX_VALUE);
    }
}

package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is told of a batch, and to whom it does no harm. */
class ListenerTests {

    private final BlockingQueue<BatchSummary> summaries = new LinkedBlockingQueue<>();
    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();
    private final CollapseOptions options = CollapseOptions.builder()
            .name("users")
            .maxConcurrentBatches(1)
            .listener(summaries::add)
            .build();

    private BatchSummary next() throws InterruptedException {
        BatchSummary summary = summaries.poll(10, TimeUnit.SECONDS);
        assertThat(summary).isNotNull();
        return summary;
    }

    @ParameterizedTest
    @EnumSource
    void P17_aBatchIsReportedWithItsSizeItsTimesAndItsLeader(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        subject.submit("g/first");
        Execution first = backend.next();
        Caller a = subject.submit("g/a").awaitJoined();
        time.advance(Duration.ofMillis(2));
        subject.submit("g/b").awaitJoined();
        time.advance(Duration.ofMillis(3));
        first.succeed();
        Execution second = backend.next();
        time.advance(Duration.ofMillis(7));
        second.succeed();
        a.output();
        // Two threads report, each after its callers have their answers: in either order.
        List<BatchSummary> both = new ArrayList<>(List.of(next(), next()));
        both.sort(Comparator.comparing(BatchSummary::size));
        BatchSummary one = both.get(0);
        assertThat(one.size()).isOne();
        assertThat(one.durationNanos()).isEqualTo(Duration.ofMillis(5).toNanos());
        assertThat(one.waitNanos()).isZero();
        BatchSummary two = both.get(1);
        assertThat(two.executor()).isEqualTo("users");
        assertThat(two.group()).isEqualTo("g");
        assertThat(two.size()).isEqualTo(2);
        assertThat(two.callers()).isEqualTo(2);
        assertThat(two.waitNanos()).isEqualTo(Duration.ofMillis(5).toNanos());
        assertThat(two.durationNanos()).isEqualTo(Duration.ofMillis(7).toNanos());
        assertThat(two.outcome()).isEqualTo(BatchSummary.Outcome.BOUND);
        assertThat(two.failure()).isNull();
        assertThat(two.leader()).isEqualTo(second.thread.getName());
    }

    @ParameterizedTest
    @EnumSource
    void P17_aFailureIsReported(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        Caller caller = subject.submit("a");
        IOException failure = new IOException("down");
        backend.next().fail(failure);
        caller.failure();
        BatchSummary summary = next();
        assertThat(summary.outcome()).isEqualTo(BatchSummary.Outcome.FAILED);
        assertThat(summary.failure()).isSameAs(failure);
    }

    @ParameterizedTest
    @EnumSource
    void P17_callersThatJoinedInFlightAreCounted(Kind kind) throws Exception {
        Subject subject =
                kind.subject(options.toBuilder().joinMode(JoinMode.IN_FLIGHT).build(), backend, time);
        subject.submit("a");
        Execution execution = backend.next();
        subject.submit("a").awaitJoined();
        subject.submit("a").awaitJoined();
        execution.succeed();
        BatchSummary summary = next();
        assertThat(summary.size()).isOne();
        assertThat(summary.callers()).isEqualTo(3);
    }

    @Test
    void P17_anAbandonedBatchIsReportedAsThat() throws Exception {
        Subject subject = Kind.FUTURE.subject(options, backend, time);
        Caller caller = subject.submit("a");
        backend.next();
        caller.leave();
        assertThat(next().outcome()).isEqualTo(BatchSummary.Outcome.ABANDONED);
    }

    /** Throws whatever it is given, as code of languages without checked exceptions does. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private Subject throwing(Kind kind, Throwable thrown) {
        CollapseOptions failing = options.toBuilder()
                .listener(batch -> ListenerTests.<RuntimeException>sneak(thrown))
                .build();
        return kind.subject(failing, backend.answering(), time);
    }

    @ParameterizedTest
    @EnumSource
    void P13_aThrowableOfAListenerReachesNoCaller(Kind kind) throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            throw new IllegalStateException("the handler throws too");
        });
        try {
            for (Throwable thrown : List.of(
                    new IllegalStateException("listener"),
                    new IOException("sneaked"),
                    new InterruptedException("sneaked"),
                    new StackOverflowError(),
                    new Throwable("neither"))) {
                Subject subject = throwing(kind, thrown);
                for (String input : List.of("a", "b", "c")) {
                    assertThat(subject.submit(input).output()).isEqualTo("answer to " + input);
                }
            }
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void P13_theFirstExceptionOfAListenerAndEveryErrorGoToTheUncaughtExceptionHandler() throws Exception {
        IOException exception = new IOException("sneaked");
        StackOverflowError error = new StackOverflowError();
        assertThat(uncaught(throwing(Kind.BLOCKING, exception))).containsExactly(exception);
        assertThat(uncaught(throwing(Kind.BLOCKING, error))).containsExactly(error, error, error);
    }

    private static List<Throwable> uncaught(Subject subject) throws Exception {
        List<Throwable> uncaught = new ArrayList<>();
        Caller caller = new Caller.OnThread("caller", () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
            subject.callOnThisThread("a");
            subject.callOnThisThread("b");
            return subject.callOnThisThread("c");
        });
        assertThat(caller.output()).isEqualTo("answer to c");
        return uncaught;
    }
}

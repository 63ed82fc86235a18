package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C13: the contexts of callers reach the execution of their batch, where a carrier takes them there. */
class ContextCarrierTests {

    private final ThreadLocal<String> user = new ThreadLocal<>();
    private final List<List<Object>> seen = Collections.synchronizedList(new ArrayList<>());
    private final Backend backend = new Backend();

    private final ContextCarrier carrier = new ContextCarrier() {
        @Override
        public Object capture() {
            return user.get();
        }

        @Override
        public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
            seen.add(contexts);
            String before = user.get();
            user.set("batch of " + contexts);
            try {
                return execution.call();
            } finally {
                user.set(before);
            }
        }
    };

    private final CollapseOptions oneAtATime = CollapseOptions.builder()
            .name("users")
            .maxConcurrentBatches(1)
            .contextCarrier(carrier)
            .build();

    /** Submits as a user; a blocking caller has a thread of its own, to which the user is inherited by this test's hand. */
    private Caller submitAs(String name, Kind kind, Subject subject, String input) {
        if (kind == Kind.BLOCKING) {
            return new Caller.OnThread("caller of " + input, () -> {
                user.set(name);
                String output = subject.callOnThisThread(input);
                assertThat(user.get()).isEqualTo(name);
                return output;
            });
        }
        user.set(name);
        try {
            return subject.submit(input);
        } finally {
            user.remove();
        }
    }

    @ParameterizedTest
    @EnumSource
    void P11_anExecutionHasTheContextsOfTheCallersWhoseInputsItExecutes(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend);
        Caller first = submitAs("first", kind, subject, "first");
        Execution ahead = backend.next();
        List<Caller> callers = new ArrayList<>();
        for (String name : List.of("ann", "bob", "cid")) {
            callers.add(submitAs(name, kind, subject, name).awaitJoined());
        }
        callers.get(1).leave();
        callers.get(1).failure();
        ahead.succeed();
        backend.next().succeed();
        first.output();
        callers.get(0).output();
        callers.get(2).output();
        assertThat(seen).containsExactly(List.of("first"), List.of("ann", "cid"));
    }

    @Test
    void P11_theExecutionRunsInsideAndItsResultIsReturned() throws Exception {
        user.set("ann");
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor(oneAtATime);
        assertThat(blocking.<String>execute("g", user::get)).isEqualTo("batch of [ann]");
        AsyncCallableGroupCollapseExecutor async = new AsyncCallableGroupCollapseExecutor(oneAtATime);
        assertThat(async.<String>execute("g", user::get).get(10, TimeUnit.SECONDS))
                .isEqualTo("batch of [ann]");
        FutureCallableGroupCollapseExecutor future = new FutureCallableGroupCollapseExecutor(oneAtATime);
        assertThat(future.<String>execute("g", () -> CompletableFuture.completedFuture(user.get())))
                .isCompletedWithValue("batch of [ann]");
        assertThat(user.get()).isEqualTo("ann");
    }

    /** Notes which contexts it captured, and what it was told of their ends. */
    private static class Ends implements ContextCarrier {

        // mutable, thread-safe
        final List<String> ends = Collections.synchronizedList(new ArrayList<>());
        private final ThreadLocal<String> user;

        Ends(ThreadLocal<String> user) {
            this.user = user;
        }

        @Override
        public Object capture() {
            return user.get();
        }

        @Override
        public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
            return execution.call();
        }

        @Override
        public void ended(Object context, List<Object> executed, Throwable failure) {
            ends.add(context + " " + executed + " " + (failure == null ? null : failure.getMessage()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void P01_everyContextThatWasCapturedHasOneEnd(Kind kind) throws Exception {
        Ends carrier = new Ends(user);
        Subject subject =
                kind.subject(oneAtATime.toBuilder().contextCarrier(carrier).build(), backend);
        Caller first = submitAs("first", kind, subject, "first");
        Execution ahead = backend.next();
        List<Caller> callers = new ArrayList<>();
        for (String name : List.of("ann", "bob", "cid")) {
            callers.add(submitAs(name, kind, subject, name).awaitJoined());
        }
        callers.get(1).leave();
        callers.get(1).failure();
        assertThat(carrier.ends).singleElement().asString().startsWith("bob [] ");
        ahead.succeed();
        backend.next().fail(new IOException("broken"));
        first.output();
        callers.get(0).failure();
        callers.get(2).failure();
        assertThat(carrier.ends.subList(1, 4))
                .containsExactlyInAnyOrder("first [first] null", "ann [ann, cid] broken", "cid [ann, cid] broken");
        assertThat(carrier.ends).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    void P01_theEndOfACallThatMeetsTheCloseTellsThatItIsRefused(Kind kind) {
        AtomicReference<CollapseExecutor> executor = new AtomicReference<>();
        Ends closing = new Ends(user) {
            @Override
            public Object capture() {
                executor.get().close(Duration.ZERO);
                return super.capture();
            }
        };
        Subject subject = kind.subject(
                oneAtATime.toBuilder().name("users").contextCarrier(closing).build(), backend);
        executor.set(subject.executor());
        user.set("ann");
        assertThatThrownBy(() -> subject.callOnThisThread("a")).isInstanceOf(ExecutorClosedException.class);
        assertThat(closing.ends).singleElement().asString().startsWith("ann [] Executor \"users\" is closed");
    }

    @ParameterizedTest
    @EnumSource
    void P11_theEndOfACallerThatJoinedInFlightTellsWhoseInputsWereExecuted(Kind kind) throws Exception {
        Ends carrier = new Ends(user);
        Subject subject = kind.subject(
                oneAtATime.toBuilder()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .contextCarrier(carrier)
                        .build(),
                backend);
        Caller leader = submitAs("leader", kind, subject, "a");
        Execution call = backend.next();
        Caller joiner = submitAs("joiner", kind, subject, "a").awaitJoined();
        call.succeed();
        leader.output();
        joiner.output();
        assertThat(carrier.ends).containsExactlyInAnyOrder("leader [leader] null", "joiner [leader] null");
    }

    @ParameterizedTest
    @EnumSource
    void P13_anEndThatFailsReachesNoCaller(Kind kind) throws Exception {
        Ends failing = new Ends(user) {
            @Override
            public void ended(Object context, List<Object> executed, Throwable failure) {
                ends.add("told");
                throw new IllegalStateException("by the carrier");
            }
        };
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
        try {
            Subject subject =
                    kind.subject(oneAtATime.toBuilder().contextCarrier(failing).build(), backend.answering());
            assertThat(subject.submit("a").output()).isEqualTo("answer to a");
            assertThat(failing.ends).containsExactly("told");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void P11_twoCarriersAreNestedAndEachHasItsOwnContexts(Kind kind) throws Exception {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        ContextCarrier both = noting("outer", order).andThen(noting("inner", order));
        Subject subject =
                kind.subject(oneAtATime.toBuilder().contextCarrier(both).build(), backend.answering());
        subject.submit("a").output();
        assertThat(order)
                .containsExactly(
                        "capture outer",
                        "capture inner",
                        "begin outer [of outer]",
                        "begin inner [of inner]",
                        "finish inner",
                        "finish outer",
                        "end of inner [of inner]",
                        "end of outer [of outer]");
    }

    private static ContextCarrier noting(String name, List<String> order) {
        return new ContextCarrier() {
            @Override
            public Object capture() {
                order.add("capture " + name);
                return "of " + name;
            }

            @Override
            public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
                order.add("begin " + name + " " + contexts);
                try {
                    return execution.call();
                } finally {
                    order.add("finish " + name);
                }
            }

            @Override
            public void ended(Object context, List<Object> executed, Throwable failure) {
                order.add("end " + context + " " + executed);
            }
        };
    }

    @Test
    void P01_ifTheSecondCarrierCannotCaptureTheFirstOnesContextHasItsEnd() {
        Ends first = new Ends(user);
        Ends second = new Ends(user) {
            @Override
            public Object capture() {
                throw new IllegalStateException("no context");
            }
        };
        user.set("ann");
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                oneAtATime.toBuilder().contextCarrier(first.andThen(second)).build());
        assertThatThrownBy(() -> executor.execute("g", () -> "answer")).hasMessage("no context");
        assertThat(first.ends).containsExactly("ann [] no context");
        assertThat(second.ends).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void P02_aCaptureThatFailsHurtsItsOwnCallerAndIsNotCounted(Kind kind) throws Exception {
        IllegalStateException failure = new IllegalStateException("no context");
        boolean[] fails = {true};
        ContextCarrier failing = new ContextCarrier() {
            @Override
            public Object capture() {
                if (fails[0]) {
                    throw failure;
                }
                return null;
            }

            @Override
            public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
                assertThat(contexts).containsExactly((Object) null);
                return execution.call();
            }
        };
        Subject subject = kind.subject(
                oneAtATime.toBuilder().maxPending(1).contextCarrier(failing).build(), backend.answering());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> subject.callOnThisThread("a")).isSameAs(failure);
        }
        fails[0] = false;
        assertThat(subject.callOnThisThread("a")).isEqualTo("answer to a");
    }

    @ParameterizedTest
    @EnumSource
    void P07_anExceptionThrownAroundAnExecutionIsTheFailureOfItsCallers(Kind kind) throws Exception {
        IOException failure = new IOException("around");
        ContextCarrier failing = new ContextCarrier() {
            @Override
            public Object capture() {
                return "context";
            }

            @Override
            public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
                throw failure;
            }
        };
        Subject subject =
                kind.subject(oneAtATime.toBuilder().contextCarrier(failing).build(), backend.answering());
        assertThat(subject.submit("a").failure()).isSameAs(failure);
        assertThat(backend.batches()).isEmpty();
    }

    /** Runs executions as a carrier should not. */
    private static final class Careless extends Ends {

        private interface Around {
            @Nullable Object run(Callable<?> execution) throws Exception;
        }

        // immutable
        private final Around around;

        Careless(Around around) {
            super(new ThreadLocal<>());
            this.around = around;
        }

        @Override
        @SuppressWarnings("unchecked") // a careless one returns anything
        public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
            return (T) around.run(execution);
        }
    }

    private static Throwable failureWith(Careless.Around around, Callable<String> call) {
        CollapseOptions options = CollapseOptions.builder()
                .name("users")
                .contextCarrier(new Careless(around))
                .build();
        return catchThrowable(() -> new BlockingCallableGroupCollapseExecutor(options).execute("g", call));
    }

    @Test
    void P02_aCarrierThatReturnsSomethingElseFailsTheBatch() {
        Callable<String> call = () -> "answer";
        assertThat(failureWith(Callable::call, call)).isNull();
        assertThat(failureWith(Callable::call, () -> null)).isNull();
        assertThat(failureWith(execution -> null, call))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("contextCarrier of executor \"users\" returned something else")
                .hasMessageContaining("return what it returned");
        assertThat(failureWith(execution -> execution.call() + " of another", call))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void P02_aCarrierThatSwallowsAFailureFailsTheBatchWithIt() {
        Throwable failure = failureWith(
                execution -> {
                    try {
                        return execution.call();
                    } catch (IOException e) {
                        return null;
                    }
                },
                () -> {
                    throw new IOException("no answer");
                });
        assertThat(failure).isInstanceOf(IllegalStateException.class).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void P01_aCarrierThatRepeatsAnExecutionFailsTheBatchBeforeTheSecondCall() {
        List<String> calls = new ArrayList<>();
        Throwable failure = failureWith(
                execution -> {
                    Object unused = execution.call();
                    return execution.call();
                },
                () -> {
                    calls.add("call");
                    return "answer";
                });
        assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessageContaining("twice");
        assertThat(calls).hasSize(1);
    }

    @Test
    void P02_aCarrierThatLosesAStageFailsTheBatch() {
        CompletableFuture<String> another = CompletableFuture.completedFuture("of another");
        CollapseOptions options = CollapseOptions.builder()
                .contextCarrier(new Careless(execution -> another))
                .build();
        CompletableFuture<String> answer = new FutureCallableGroupCollapseExecutor(options)
                .execute("g", () -> CompletableFuture.completedFuture("answer"));
        assertThat(answer)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class);
    }
}

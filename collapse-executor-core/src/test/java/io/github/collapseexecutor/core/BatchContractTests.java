package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Binding;
import io.github.collapseexecutor.core.Kind.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a batch function does, each caller ends once, with what is its own. */
class BatchContractTests {

    private final Backend backend = new Backend();
    private final CollapseOptions oneAtATime =
            CollapseOptions.builder().name("users").maxConcurrentBatches(1).build();

    /** A first batch in flight, and behind it a gathered one of the given inputs. */
    private final class Gathered {

        final List<Caller> callers = new ArrayList<>();
        final Subject subject;
        final Execution execution;

        Gathered(Kind kind, Binding binding, String... inputs) throws Exception {
            subject = kind.subject(oneAtATime, backend, binding, SystemScheduler.INSTANCE);
            Caller first = subject.submit("first");
            Execution ahead = backend.next();
            for (String input : inputs) {
                callers.add(subject.submit(input).awaitJoined());
            }
            ahead.succeed();
            first.output();
            execution = backend.next();
            assertThat(execution.inputs).containsExactly(inputs);
        }

        void expectNothingLeft() {
            Eventually.until(() -> subject.engine().groupCount() == 0);
        }
    }

    private static final Binding IGNORING_NULL = (outputs, bundles) -> {
        if (outputs != null && !bundles.get(0).getInput().equals("first")) {
            return;
        }
        if (outputs != null) {
            Binding.BY_INPUT.bind(outputs, bundles);
        }
    };

    @ParameterizedTest
    @EnumSource
    void P07_everyCallerGetsTheFailureAsItWasThrown(Kind kind) throws Exception {
        for (Throwable thrown : List.of(
                new IOException("disk"), new IllegalStateException("state"), new StackOverflowError(), new Odd())) {
            Gathered gathered = new Gathered(kind, Binding.BY_INPUT, "a", "b", "c");
            gathered.execution.fail(thrown);
            for (Caller caller : gathered.callers) {
                assertThat(caller.failure()).isSameAs(thrown);
            }
            gathered.expectNothingLeft();
        }
    }

    private static final class Odd extends Throwable {
        private static final long serialVersionUID = 1L;
    }

    @ParameterizedTest
    @EnumSource
    void aFailureWhileBindingReachesCallersThatWereNotBoundYet(Kind kind) throws Exception {
        Binding breaking = (outputs, bundles) -> {
            bundles.get(0).bindOutput(outputs.get(bundles.get(0).getInput()));
            if (bundles.size() > 1) {
                throw new IOException("while binding");
            }
        };
        Gathered gathered = new Gathered(kind, breaking, "a", "b", "c");
        gathered.execution.succeed();
        assertThat(gathered.callers.get(0).output()).isEqualTo("answer to a");
        assertThat(gathered.callers.get(1).failure()).isInstanceOf(IOException.class);
        assertThat(gathered.callers.get(2).failure()).isInstanceOf(IOException.class);
        gathered.expectNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void aNullResultIsPassedOnToTheBinding(Kind kind) throws Exception {
        AtomicReference<Object> seen = new AtomicReference<>("nothing yet");
        Binding recording = (outputs, bundles) -> {
            seen.set(outputs);
            bundles.forEach(bundle -> bundle.bindOutput("default"));
        };
        Subject subject = kind.subject(oneAtATime, backend, recording, SystemScheduler.INSTANCE);
        Caller caller = subject.submit("a");
        backend.next().result.complete(null);
        assertThat(caller.output()).isEqualTo("default");
        assertThat(seen).hasValue(null);
    }

    @ParameterizedTest
    @EnumSource
    void P01_callersThatWereNotBoundAreToldSo(Kind kind) throws Exception {
        Gathered gathered = new Gathered(kind, IGNORING_NULL, "a", "b");
        gathered.execution.succeed();
        for (Caller caller : gathered.callers) {
            assertThat(caller.failure())
                    .isInstanceOf(UnboundOutputException.class)
                    .hasMessageContaining("users")
                    .hasMessageNotContaining("answer");
        }
        gathered.expectNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void P01_anInputThatWasForgottenFailsAloneAndOneThatWasNotAskedForHarmsNobody(Kind kind) throws Exception {
        Binding forgetful = (outputs, bundles) -> bundles.forEach(bundle -> {
            if (outputs.containsKey(bundle.getInput())) {
                bundle.bindOutput(outputs.get(bundle.getInput()));
            }
        });
        Gathered gathered = new Gathered(kind, forgetful, "a", "b");
        gathered.execution.result.complete(Collections.singletonMap("b", "answer to b"));
        assertThat(gathered.callers.get(0).failure()).isInstanceOf(UnboundOutputException.class);
        assertThat(gathered.callers.get(1).output()).isEqualTo("answer to b");
        Gathered again = new Gathered(kind, forgetful, "c");
        again.execution.result.complete(java.util.Map.of("c", "answer to c", "unknown", "answer to nobody"));
        assertThat(again.callers.get(0).output()).isEqualTo("answer to c");
    }

    @ParameterizedTest
    @EnumSource
    void P01_theFirstBindingCounts(Kind kind) throws Exception {
        List<Boolean> counted = Collections.synchronizedList(new ArrayList<>());
        Binding twice = (outputs, bundles) -> bundles.forEach(bundle -> {
            counted.add(bundle.bindOutput("first binding"));
            counted.add(bundle.bindOutput("second binding"));
            counted.add(bundle.bindError(new IOException("third binding")));
        });
        Subject subject = kind.subject(oneAtATime, backend, twice, SystemScheduler.INSTANCE);
        Caller caller = subject.submit("a");
        backend.next().succeed();
        assertThat(caller.output()).isEqualTo("first binding");
        assertThat(counted).containsExactly(true, false, false);
    }

    @ParameterizedTest
    @EnumSource
    void P01_aBindingByAnotherThreadAfterTheEndComesTooLate(Kind kind) throws Exception {
        List<Bundle<String, String>> kept = Collections.synchronizedList(new ArrayList<>());
        Subject subject =
                kind.subject(oneAtATime, backend, (outputs, bundles) -> kept.addAll(bundles), SystemScheduler.INSTANCE);
        Caller caller = subject.submit("a");
        backend.next().succeed();
        assertThat(caller.failure()).isInstanceOf(UnboundOutputException.class);
        AtomicReference<Boolean> late = new AtomicReference<>();
        Thread other = new Thread(() -> late.set(kept.get(0).bindOutput("late")));
        other.start();
        other.join();
        assertThat(late).hasValue(false);
        assertThat(caller.failure()).isInstanceOf(UnboundOutputException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aBindingByAnotherThreadBeforeTheEndCounts(Kind kind) throws Exception {
        Binding byAnother = (outputs, bundles) -> {
            CountDownLatch bound = new CountDownLatch(1);
            new Thread(() -> {
                        bundles.forEach(bundle -> bundle.bindOutput(outputs.get(bundle.getInput())));
                        bound.countDown();
                    })
                    .start();
            bound.await();
        };
        Gathered gathered = new Gathered(kind, byAnother, "a", "b");
        gathered.execution.succeed();
        assertThat(gathered.callers.get(0).output()).isEqualTo("answer to a");
        assertThat(gathered.callers.get(1).output()).isEqualTo("answer to b");
    }

    @ParameterizedTest
    @EnumSource
    void P02_aFailureBoundToOneCallerIsItsAlone(Kind kind) throws Exception {
        Binding picky = (outputs, bundles) -> bundles.forEach(bundle -> {
            if (bundle.getInput().equals("bad")) {
                bundle.bindError(new IOException("bad"));
            } else {
                bundle.bindOutput(outputs.get(bundle.getInput()));
            }
        });
        Gathered gathered = new Gathered(kind, picky, "a", "bad", "b");
        gathered.execution.succeed();
        assertThat(gathered.callers.get(0).output()).isEqualTo("answer to a");
        assertThat(gathered.callers.get(1).failure()).isInstanceOf(IOException.class);
        assertThat(gathered.callers.get(2).output()).isEqualTo("answer to b");
    }

    @ParameterizedTest
    @EnumSource
    void bindingANullFailureIsRefused(Kind kind) throws Exception {
        Binding careless = (outputs, bundles) -> bundles.get(0).bindError(null);
        Subject subject = kind.subject(oneAtATime, backend, careless, SystemScheduler.INSTANCE);
        Caller caller = subject.submit("a");
        backend.next().succeed();
        assertThat(caller.failure()).isInstanceOf(NullPointerException.class).hasMessage("failure");
    }

    @ParameterizedTest
    @EnumSource
    void P08_aBatchFunctionMayCallItsOwnExecutorAlsoWithOneBatchAtATime(Kind kind) throws Exception {
        for (CollapseOptions options : List.of(
                oneAtATime,
                CollapseOptions.defaults(),
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build())) {
            AtomicReference<Subject> subject = new AtomicReference<>();
            Backend answering = new Backend().answering();
            Binding nesting = (outputs, bundles) -> {
                for (Bundle<String, String> bundle : bundles) {
                    String input = bundle.getInput();
                    bundle.bindOutput(
                            input.length() >= 4 ? input : subject.get().callOnThisThread(input + "+") + "!");
                }
            };
            subject.set(kind.subject(options, answering, nesting, SystemScheduler.INSTANCE));
            assertThat(subject.get().submit("a").output()).isEqualTo("a+++!!!");
            Eventually.until(() -> subject.get().engine().groupCount() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void P08_batchesOfTwoGroupsMayCallEachOthersGroupWithOneBatchAtATime(Kind kind) throws Exception {
        AtomicReference<Subject> subject = new AtomicReference<>();
        CountDownLatch bothInside = new CountDownLatch(2);
        Binding crossing = (outputs, bundles) -> {
            for (Bundle<String, String> bundle : bundles) {
                if (bundle.getInput().endsWith("outer")) {
                    bothInside.countDown();
                    bothInside.await();
                    bundle.bindOutput(
                            subject.get().callOnThisThread(bundle.getInput().startsWith("x") ? "y/inner" : "x/inner"));
                } else {
                    bundle.bindOutput(bundle.getInput());
                }
            }
        };
        // Each outer batch needs a thread of its own that may block, which a future executor has on its callers'
        // threads.
        subject.set(kind.subject(oneAtATime, new Backend().answering(), crossing, SystemScheduler.INSTANCE));
        Caller x =
                new Caller.OnThread("x", () -> subject.get().submit("x/outer").output());
        Caller y =
                new Caller.OnThread("y", () -> subject.get().submit("y/outer").output());
        assertThat(x.output()).isEqualTo("y/inner");
        assertThat(y.output()).isEqualTo("x/inner");
    }

    @ParameterizedTest
    @EnumSource
    void nullArgumentsAreRefusedByName(Kind kind) {
        assertThatThrownBy(() -> kind.subject(null, backend))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("options");
    }
}

package io.github.collapseexecutor.core;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every way to call an executor whose callers hold futures, against every reason to refuse a call: a call that is not taken is refused by an
 * exception, and whatever happens to one that is taken comes by its future.
 */
class RefusalTests {

    /** What a test may do with an executor of any type; the input {@code never} is never answered. */
    private record Subject(CollapseExecutor executor, Way way) {}

    private interface Way {
        CompletableFuture<?> call(String input, CallOptions options);
    }

    private static final CallOptions DEFAULTS = CallOptions.defaults();

    private final Map<String, Function<CollapseOptions, Subject>> ways = new LinkedHashMap<>();
    private final CompletableFuture<String> never = new CompletableFuture<>();

    RefusalTests() {
        ways.put("async callable", options -> {
            AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(options);
            return new Subject(
                    executor,
                    (input, own) -> executor.execute(input, () -> answer(input).get(), own));
        });
        ways.put("future callable", options -> {
            FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(options);
            return new Subject(executor, (input, own) -> executor.execute(input, () -> answer(input), own));
        });
        ofInputs(
                "asyncByKey",
                options -> CollapseExecutors.asyncByKey(keys -> byKey(keys).get(), MissingKeyPolicy.NULL, options));
        ofInputs(
                "asyncByItem",
                options -> CollapseExecutors.asyncByItem(
                        keys -> byKey(keys).get().values(), item -> item, MissingKeyPolicy.NULL, options));
        ofInputs(
                "asyncInOrder",
                options -> CollapseExecutors.asyncInOrder(
                        (List<String> keys) -> List.copyOf(byKey(keys).get().values()), options));
        ofInputs("futureByKey", options -> CollapseExecutors.futureByKey(this::byKey, MissingKeyPolicy.NULL, options));
        ofInputs(
                "futureByItem",
                options -> CollapseExecutors.<String, String>futureByItem(
                        keys -> byKey(keys).thenApply(Map::values), item -> item, MissingKeyPolicy.NULL, options));
        ofInputs(
                "futureInOrder",
                options -> CollapseExecutors.futureInOrder(
                        (List<String> keys) -> byKey(keys).thenApply(found -> List.copyOf(found.values())), options));
        ofInputs("async subclass", AsyncSubclass::new);
        ofInputs("future subclass", FutureSubclass::new);
    }

    private void ofInputs(String name, Function<CollapseOptions, FutureCollapseExecutor<String, String>> creator) {
        ways.put(name + ", execute", options -> {
            FutureCollapseExecutor<String, String> executor = creator.apply(options);
            return new Subject(executor, executor::execute);
        });
        ways.put(name + ", executeEach", options -> {
            FutureCollapseExecutor<String, String> executor = creator.apply(options);
            return new Subject(
                    executor,
                    (input, own) ->
                            executor.executeEach(Arrays.asList(input), own).get(0));
        });
        ways.put(name + ", executeAll", options -> {
            FutureCollapseExecutor<String, String> executor = creator.apply(options);
            return new Subject(executor, (input, own) -> executor.executeAll(Arrays.asList(input), own));
        });
    }

    /** Lets go of the threads that wait for the input that is never answered. */
    @AfterEach
    void end() {
        never.completeExceptionally(new IllegalStateException("the test is over"));
    }

    private CompletableFuture<String> answer(String input) {
        return input.equals("never") ? never.copy() : completedFuture(input);
    }

    private CompletableFuture<Map<String, String>> byKey(Collection<String> keys) {
        Map<String, String> found = new LinkedHashMap<>();
        keys.forEach(key -> found.put(key, key));
        return keys.contains("never") ? never.thenApply(unused -> found) : completedFuture(found);
    }

    private Stream<DynamicTest> everyWay(Function<Function<CollapseOptions, Subject>, Void> test) {
        return ways.entrySet().stream()
                .map(way -> DynamicTest.dynamicTest(way.getKey(), () -> test.apply(way.getValue())));
    }

    @TestFactory
    Stream<DynamicTest> aClosedExecutorThrows() {
        return everyWay(way -> {
            Subject subject = way.apply(CollapseOptions.defaults());
            subject.executor.close();
            for (CallOptions options : List.of(DEFAULTS, cancelled())) {
                assertThatThrownBy(() -> subject.way.call("a", options)).isInstanceOf(ExecutorClosedException.class);
            }
            return null;
        });
    }

    @TestFactory
    Stream<DynamicTest> oneCallerTooManyIsThrown() {
        return everyWay(way -> {
            Subject subject = way.apply(CollapseOptions.builder().maxPending(1).build());
            CompletableFuture<?> present = subject.way.call("never", DEFAULTS);
            for (CallOptions options : List.of(DEFAULTS, cancelled())) {
                assertThatThrownBy(() -> subject.way.call("a", options))
                        .isExactlyInstanceOf(RejectedExecutionException.class);
            }
            present.cancel(true);
            assertThat(subject.way.call("a", cancelled())).isCancelled();
            assertThat(subject.way.call("a", DEFAULTS)).succeedsWithin(Duration.ofSeconds(10));
            return null;
        });
    }

    @TestFactory
    Stream<DynamicTest> aJoinModeThatTheExecutorLacksIsThrown() {
        return everyWay(way -> {
            Subject subject = way.apply(CollapseOptions.defaults());
            CallOptions inFlight = DEFAULTS.joinMode(JoinMode.IN_FLIGHT);
            for (CallOptions options : List.of(inFlight, inFlight.cancelSignal(completedFuture(null)))) {
                assertThatThrownBy(() -> subject.way.call("a", options)).isInstanceOf(InvalidOptionException.class);
            }
            subject.executor.close();
            assertThatThrownBy(() -> subject.way.call("a", inFlight)).isInstanceOf(InvalidOptionException.class);
            return null;
        });
    }

    @TestFactory
    Stream<DynamicTest> whatHappensToACallThatWasTakenComesByItsFuture() {
        return everyWay(way -> {
            Subject subject = way.apply(CollapseOptions.builder().maxPending(1).build());
            assertThat(subject.way.call("a", cancelled())).isCancelled();
            assertThat(subject.way.call("never", DEFAULTS.timeout(Duration.ofMillis(1))))
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(CallerTimeoutException.class);
            return null;
        });
    }

    private static CallOptions cancelled() {
        return DEFAULTS.cancelSignal(completedFuture(null));
    }

    private final class AsyncSubclass extends CollapseExecutorAsyncSupport<String, String, Map<String, String>> {

        AsyncSubclass(CollapseOptions options) {
            super(options);
        }

        @Override
        protected Map<String, String> doExecute(Collection<Input<String>> inputs) throws Exception {
            return byKey(inputs.stream().map(Input::value).toList()).get();
        }

        @Override
        protected void bindingOutput(
                Map<String, String> output, List<Bundle<String, CompletableFuture<String>>> bundles) {
            bundles.forEach(bundle -> bundle.bindOutput(completedFuture(output.get(bundle.getInput()))));
        }
    }

    private final class FutureSubclass extends CollapseExecutorFutureSupport<String, String, Map<String, String>> {

        FutureSubclass(CollapseOptions options) {
            super(options);
        }

        @Override
        protected CompletableFuture<Map<String, String>> doExecute(Collection<Input<String>> inputs) {
            return byKey(inputs.stream().map(Input::value).toList());
        }

        @Override
        protected void bindingOutput(
                Map<String, String> output, List<Bundle<String, CompletableFuture<String>>> bundles) {
            bundles.forEach(bundle -> bundle.bindOutput(completedFuture(output.get(bundle.getInput()))));
        }
    }
}

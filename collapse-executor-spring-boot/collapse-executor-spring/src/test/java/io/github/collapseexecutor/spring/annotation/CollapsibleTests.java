package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.core.JoinMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** Identical calls of a method share one execution. */
class CollapsibleTests {

    record Order(long id, String note) {}

    static class Prices {

        // immutable
        private final Gate gate;

        Prices(Gate gate) {
            this.gate = gate;
        }

        private String answer(Object product) {
            gate.pass(product);
            return new String("price of " + product);
        }

        @Collapsible
        public String plain(String product) {
            return answer(product);
        }

        @Collapsible
        public CompletableFuture<String> future(String product) {
            return CompletableFuture.supplyAsync(() -> answer(product), task -> new Thread(task).start());
        }

        @Collapsible
        public CompletionStage<String> stage(String product) {
            return future0(product);
        }

        private CompletableFuture<String> future0(String product) {
            return CompletableFuture.supplyAsync(() -> answer(product), task -> new Thread(task).start());
        }

        @Collapsible
        public Mono<String> mono(String product) {
            return Mono.fromFuture(() -> future0(product));
        }

        @Collapsible(key = "#order.id() + ':' + #p1", name = "orders")
        public String byKey(Order order, boolean net) {
            return answer(order.id() + ":" + net);
        }

        @Collapsible(key = "#p0.note()")
        public String byNote(Order order) {
            return answer(order);
        }

        @Collapsible(name = "totals")
        public CompletableFuture<String> total(List<String> basket) {
            String total = "total of " + basket;
            return CompletableFuture.supplyAsync(() -> answer(total), task -> new Thread(task).start());
        }

        @Collapsible(name = "quotes")
        public Mono<String> quote(List<String> basket) {
            String quote = "quote of " + basket;
            return Mono.fromFuture(
                    () -> CompletableFuture.supplyAsync(() -> answer(quote), task -> new Thread(task).start()));
        }

        @Collapsible(join = JoinMode.IN_FLIGHT, name = "joining")
        public String joining(String product) {
            return answer(product);
        }

        @Collapsible(timeout = "50ms", name = "hurried")
        public String hurried(String product) {
            return answer(product);
        }

        @Collapsible(timeout = "PT0.05S", name = "declared")
        public String declared(String product) throws TimeoutException, InterruptedException {
            return answer(product);
        }

        @Collapsible
        public String closed() throws Exception {
            gate.pass("closed");
            BlockingCallableGroupCollapseExecutor another = new BlockingCallableGroupCollapseExecutor();
            another.close();
            return another.execute("key", () -> "value");
        }

        @Collapsible(name = "broken")
        public String broken(String product) throws IOException {
            gate.pass(product);
            throw new IOException("no " + product);
        }

        @Collapsible
        public CompletableFuture<String> failedFuture(String product) {
            return CompletableFuture.failedFuture(new IOException("no " + product));
        }

        @Collapsible
        public Mono<String> failedMono(String product) {
            return Mono.error(new IOException("no " + product));
        }

        @Collapsible(name = "nothing")
        public Optional<String> nothing(String product) {
            gate.pass(product);
            return Optional.empty();
        }

        @Collapsible(name = "null")
        public String ofNull(String product) {
            gate.pass(product);
            return null;
        }

        @Collapsible
        public String overloaded(String product) {
            return answer(product);
        }

        @Collapsible
        public String overloaded(Long product) {
            return answer(product);
        }

        @Collapsible(name = "anything")
        public String anything(Object argument) {
            return answer(argument);
        }

        public String ofThis(String product) {
            return plain(product);
        }
    }

    /** The ways in which a method hands its answer over. */
    enum Kind {
        PLAIN,
        FUTURE,
        STAGE,
        MONO;

        String executor() {
            return "collapsibleTests.Prices." + name().toLowerCase(Locale.ROOT);
        }

        String ask(Prices prices, String product) throws Exception {
            return switch (this) {
                case PLAIN -> prices.plain(product);
                case FUTURE -> prices.future(product).get();
                case STAGE -> prices.stage(product).toCompletableFuture().get();
                case MONO -> prices.mono(product).block();
            };
        }
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(Prices.class);
    private final Prices prices = application.get(Prices.class);
    private final Gate gate = application.get(Gate.class);

    @AfterEach
    void close() {
        gate.open();
        application.close();
    }

    private CollapseExecutor executor(String name) {
        return application.executor(name);
    }

    private <T> List<T> burst(int callers, String executor, BiFunction<Prices, Integer, Callable<T>> call)
            throws Exception {
        return Burst.of(callers, gate, executor(executor), index -> call.apply(prices, index));
    }

    @ParameterizedTest
    @EnumSource
    void fiftyIdenticalCallsAreTwoExecutions(Kind kind) throws Exception {
        List<String> answers = burst(50, kind.executor(), (bean, index) -> () -> kind.ask(bean, "tea"));
        assertThat(answers).hasSize(50).containsOnly("price of tea");
        assertThat(gate.executions()).containsExactly("tea", "tea");
    }

    @ParameterizedTest
    @EnumSource
    void callsWithOtherArgumentsAreNotShared(Kind kind) throws Exception {
        List<String> answers = burst(10, kind.executor(), (bean, index) -> () -> kind.ask(bean, "product " + index));
        assertThat(answers).doesNotHaveDuplicates();
        assertThat(gate.executions()).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void callersOfAnExecutionGetTheSameObject() throws Exception {
        List<String> answers = burst(3, Kind.PLAIN.executor(), (bean, index) -> () -> bean.plain("tea"));
        assertThat(answers.stream().map(System::identityHashCode).distinct()).hasSizeBetween(1, 2);
    }

    @Test
    void keySaysWhatCounts() throws Exception {
        List<String> answers = burst(
                20, "orders", (bean, index) -> () -> bean.byKey(new Order(index % 2, "note " + index), index % 2 == 0));
        assertThat(answers).containsOnly("price of 0:true", "price of 1:false");
        assertThat(gate.executions()).hasSize(4);
    }

    @Test
    void callsWhoseKeyIsNullAreNotCollapsed() throws Exception {
        gate.shut();
        List<FutureTask<String>> calls = List.of(
                Burst.start(() -> prices.byNote(new Order(1, null))),
                Burst.start(() -> prices.byNote(new Order(2, null))));
        await().until(() -> gate.executions().size() == 2);
        gate.open();
        assertThat(calls.get(0).get()).contains("id=1");
        assertThat(calls.get(1).get()).contains("id=2");
    }

    @Test
    void callJoinsAnExecutionInFlightIfTheAnnotationSaysSo() throws Exception {
        List<String> answers = burst(10, "joining", (bean, index) -> () -> bean.joining("tea"));
        assertThat(answers).containsOnly("price of tea");
        assertThat(gate.executions()).containsExactly("tea");
    }

    @Test
    void waitThatTakesTooLongEndsWithAnExceptionThatTheMethodMayThrow() throws Exception {
        gate.shut();
        FutureTask<String> leader = Burst.start(() -> prices.hurried("tea"));
        Burst.present(executor("hurried"), 1);
        assertThatThrownBy(() -> prices.hurried("tea"))
                .isInstanceOf(CollapsedCallException.class)
                .hasMessageContaining("Prices.hurried(String)")
                .hasCauseInstanceOf(TimeoutException.class);
        gate.open();
        assertThat(leader.get()).isEqualTo("price of tea");
    }

    @Test
    void declaredTimeoutExceptionComesAsItIs() throws Exception {
        gate.shut();
        FutureTask<String> leader = Burst.start(() -> prices.declared("tea"));
        Burst.present(executor("declared"), 1);
        assertThatThrownBy(() -> prices.declared("tea")).isInstanceOf(TimeoutException.class);
        gate.open();
        assertThat(leader.get()).isEqualTo("price of tea");
    }

    @Test
    void interruptedFollowerLeavesAndKeepsItsInterruptStatus() throws Exception {
        gate.shut();
        FutureTask<String> leader = Burst.start(() -> prices.plain("tea"));
        Burst.present(executor(Kind.PLAIN.executor()), 1);
        FutureTask<Boolean> follower = new FutureTask<>(() -> {
            assertThatThrownBy(() -> prices.plain("tea"))
                    .isInstanceOf(CollapsedCallException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            return Thread.currentThread().isInterrupted();
        });
        Thread thread = new Thread(follower);
        thread.start();
        Burst.present(executor(Kind.PLAIN.executor()), 2);
        thread.interrupt();
        assertThat(follower.get(30, TimeUnit.SECONDS)).isTrue();
        gate.open();
        assertThat(leader.get()).isEqualTo("price of tea");
    }

    @Test
    void declaredFailureIsSharedAsItIs() throws Exception {
        List<Throwable> failures = burst(10, "broken", (bean, index) -> () -> failure(bean));
        assertThat(failures).hasSize(10).allMatch(IOException.class::isInstance);
        assertThat(gate.executions()).hasSize(2);
        assertThat(failures.stream().map(System::identityHashCode).distinct()).hasSize(2);
    }

    private static Throwable failure(Prices bean) {
        try {
            return new AssertionError("an answer: " + bean.broken("tea"));
        } catch (IOException expected) {
            return expected;
        }
    }

    @Test
    void failureOfAFutureComesAsItIs() {
        assertThatThrownBy(() -> prices.failedFuture("tea").get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseExactlyInstanceOf(IOException.class);
        assertThatThrownBy(() -> prices.failedMono("tea").block()).hasCauseExactlyInstanceOf(IOException.class);
    }

    @Test
    void nullAndEmptyAreAnswers() throws Exception {
        assertThat(burst(5, "null", (bean, index) -> () -> bean.ofNull("tea"))).containsOnlyNulls();
        assertThat(gate.executions()).hasSize(2);
        assertThat(burst(5, "nothing", (bean, index) -> () -> bean.nothing("tea")))
                .containsOnly(Optional.empty());
        assertThat(gate.executions()).hasSize(4);
    }

    @Test
    void overloadedMethodsHaveExecutorsOfTheirOwn() {
        assertThat(prices.overloaded("7")).isEqualTo("price of 7");
        assertThat(prices.overloaded(7L)).isEqualTo("price of 7");
        assertThat(application.get(Application.Executors.class).byName)
                .containsKeys("collapsibleTests.Prices.overloaded(String)", "collapsibleTests.Prices.overloaded(Long)");
    }

    @Test
    void argumentThatNothingComparesIsRefusedByItsFirstCall() {
        assertThatThrownBy(() -> prices.anything(new byte[1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Prices.anything(Object)")
                .hasMessageContaining("byte[]")
                .hasMessageContaining("key");
        assertThatThrownBy(() -> prices.anything(new Object())).hasMessageContaining("java.lang.Object");
        assertThat(prices.anything(null)).isEqualTo("price of null");
        assertThat(prices.anything(List.of(1))).isEqualTo("price of [1]");
    }

    @Test
    void callOfThisIsNotCollapsed() throws Exception {
        gate.shut();
        List<FutureTask<String>> calls =
                List.of(Burst.start(() -> prices.ofThis("tea")), Burst.start(() -> prices.ofThis("tea")));
        await().until(() -> gate.executions().size() == 2);
        gate.open();
        assertThat(calls.get(0).get()).isEqualTo(calls.get(1).get());
    }

    @Test
    void monoIsCalledAnewByEachSubscription() {
        Mono<String> price = prices.mono("tea");
        assertThat(gate.executions()).isEmpty();
        assertThat(price.block()).isEqualTo("price of tea");
        assertThat(price.block()).isEqualTo("price of tea");
        assertThat(gate.executions()).hasSize(2);
    }

    /** A task that the context waits for still reads what it needs. */
    @Test
    void callAfterTheEndOfTheContextRunsTheMethodItself() {
        Mono<String> mono = prices.mono("tea");
        CollapseExecutor executor = application.executor("collapsibleTests.Prices.plain");
        application.close();
        assertThatThrownBy(() -> ((BlockingCallableGroupCollapseExecutor) executor).execute("key", () -> "value"))
                .isInstanceOf(ExecutorClosedException.class);
        assertThat(prices.plain("tea")).isEqualTo("price of tea");
        assertThat(prices.future("tea").join()).isEqualTo("price of tea");
        assertThat(mono.block()).isEqualTo("price of tea");
        assertThat(gate.executions()).hasSize(3);
    }

    @Test
    void methodThatFailsBecauseAnotherExecutorIsClosedIsNotCalledTwice() {
        assertThatThrownBy(prices::closed).isInstanceOf(ExecutorClosedException.class);
        assertThat(gate.executions()).hasSize(1);
    }

    @Test
    void contextThatIsOnlyStoppedGoesOn() {
        application.context().stop();
        assertThat(prices.plain("tea")).isEqualTo("price of tea");
        application.context().start();
        assertThat(prices.plain("tea")).isEqualTo("price of tea");
    }

    /** The caller of a future goes on, and may change what it has handed in before the call is made. */
    @Test
    void callersOfFuturesThatHaveChangedNothingGetTheirAnswers() throws Exception {
        changedByItsCaller(basket -> prices.total(basket), "price of total of [tea]");
    }

    @Test
    void callersOfMonosThatHaveChangedNothingGetTheirAnswers() throws Exception {
        changedByItsCaller(basket -> prices.quote(basket).toFuture(), "price of quote of [tea]");
    }

    private void changedByItsCaller(Function<List<String>, CompletableFuture<String>> asking, String answer)
            throws Exception {
        gate.shut();
        CompletableFuture<String> inFlight = asking.apply(List.of("tea"));
        List<String> first = new ArrayList<>(List.of("tea"));
        List<String> second = new ArrayList<>(List.of("tea"));
        List<CompletableFuture<String>> changing = List.of(asking.apply(first), asking.apply(second));
        List<CompletableFuture<String>> following = List.of(asking.apply(List.of("tea")), asking.apply(List.of("tea")));
        first.add("gold");
        second.add("gold");
        gate.open();
        assertThat(inFlight.get(60, TimeUnit.SECONDS)).isEqualTo(answer);
        for (CompletableFuture<String> call : changing) {
            assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS)).satisfies(CollapsibleTests::saysWhatHasChanged);
        }
        for (CompletableFuture<String> call : following) {
            assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo(answer);
        }
    }

    private static void saysWhatHasChanged(Throwable failure) {
        assertThat(failure)
                .hasRootCauseExactlyInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("an argument has changed between the call and its execution");
    }

    /** Another thread changes what a waiting caller has handed in. */
    @Test
    void callersThatHaveChangedNothingGetTheirAnswers() throws Exception {
        gate.shut();
        List<String> basket = new ArrayList<>(List.of("tea"));
        FutureTask<String> inFlight = Burst.start(() -> prices.anything(List.of("tea")));
        Burst.present(application.executor("anything"), 1);
        FutureTask<String> changing = Burst.start(() -> prices.anything(basket));
        Burst.present(application.executor("anything"), 2);
        FutureTask<String> following = Burst.start(() -> prices.anything(List.of("tea")));
        Burst.present(application.executor("anything"), 3);
        basket.add("gold");
        gate.open();
        assertThat(inFlight.get(60, TimeUnit.SECONDS)).isEqualTo("price of [tea]");
        assertThat(following.get(60, TimeUnit.SECONDS)).isEqualTo("price of [tea]");
        assertThatThrownBy(() -> changing.get(60, TimeUnit.SECONDS)).satisfies(CollapsibleTests::saysWhatHasChanged);
    }
}

package io.github.collapseexecutor.spring.boot.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.KeyForm;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** Arguments that are equal where a call is made, and not for other instances; and arguments whose form is not the same when it is made. */
class SharedArgumentsTests extends SharedMethodsFixture {

    /** One call after another, so that calls of one instance gather behind the one in flight. */
    private static final String TILL = """
            ---
            collapse.executor.executors:
              till:
                cluster: true
                max-concurrent-batches: 1
            """;

    /** A call that the test ends. */
    record Made(String answer, CompletableFuture<String> future) {

        void end() {
            future.complete(answer);
        }
    }

    /** Its form is made by a bean. */
    record Customer(int number) {}

    static class Till {

        // immutable
        private final List<Made> calls;

        Till(List<Made> calls) {
            this.calls = calls;
        }

        private synchronized CompletableFuture<String> made(Object asked) {
            Made made = new Made(asked + ", call " + (calls.size() + 1), new CompletableFuture<>());
            calls.add(made);
            return made.future;
        }

        @Collapsible(name = "till")
        public CompletableFuture<String> total(List<String> lines) {
            return made(List.copyOf(lines));
        }

        @Collapsible(name = "till")
        public CompletableFuture<String> takings(SharedBatchesFixture.Region region) {
            return made(region.name());
        }

        @Collapsible(name = "till")
        public String plain(Customer customer) {
            return made(customer.number).join();
        }

        @Collapsible(name = "till")
        public CompletableFuture<String> future(Customer customer) {
            return made(customer.number);
        }

        @CollapseBatch(name = "till", method = "all")
        public @Nullable String item(Customer customer) {
            return plain(customer);
        }

        public Map<Customer, String> all(Collection<Customer> customers) {
            Map<Customer, String> all = new HashMap<>();
            customers.forEach(
                    customer -> all.put(customer, made(customer.number).join()));
            return all;
        }
    }

    /** Fails when it is asked for the second time, which is when the call is made. */
    @Configuration(proxyBeanMethods = false)
    static class ForgetfulForm {

        @Bean
        KeyForm<Customer> customerForm() {
            AtomicInteger asked = new AtomicInteger();
            return KeyForm.of(Customer.class, customer -> {
                if (asked.incrementAndGet() == 2) {
                    throw new IllegalStateException("the customer is not loaded any more");
                }
                return String.valueOf(customer.number);
            });
        }
    }

    // mutable, thread-safe
    private final List<Made> calls = new CopyOnWriteArrayList<>();

    @AfterEach
    void endAll() {
        calls.forEach(Made::end);
    }

    @Override
    TestApplication application(Class<?>... configurations) {
        return new TestApplication().with(configurations).with((GenericApplicationContext context) -> {
            context.registerBean("till", Till.class, () -> new Till(calls));
        });
    }

    private static String yaml() {
        return YAML.formatted(redis.port()) + TILL;
    }

    /** Joins no call that is under way. */
    private ConfigurableApplicationContext startFresh(Class<?>... configurations) {
        return start(yaml().replace("join: in-flight", "join: fresh"), configurations);
    }

    private void awaitCalls(int size) {
        await().until(() -> calls.size() == size);
    }

    /** The first call's caller changes its list, and the caller behind has asked for what that list was. */
    @Test
    void aCallIsKnownByTheArgumentsOfTheCallerWhoseCallIsMade() throws Exception {
        Till first = startFresh().getBean(Till.class);
        Till second = start(yaml()).getBean(Till.class);
        List<String> lines = new ArrayList<>(List.of("tea"));
        CompletableFuture<String> inFlight = first.total(lines);
        awaitCalls(1);
        CompletableFuture<String> following = first.total(List.of("tea"));
        lines.add("gold");
        calls.get(0).end();
        awaitCalls(2);
        CompletableFuture<String> other = second.total(List.of("tea", "gold"));
        awaitCalls(3);
        calls.forEach(Made::end);
        assertThat(inFlight.get()).isEqualTo("[tea], call 1");
        assertThat(following.get()).isEqualTo("[tea], call 2");
        assertThat(other.get()).isEqualTo("[tea, gold], call 3");
    }

    /** Equal arguments share on one instance; another one may ask for the other name. */
    @Test
    void aCallIsKnownByTheTextOfItsOwnArgumentsAmongEqualOnes() throws Exception {
        Till first = startFresh().getBean(Till.class);
        Till second = start(yaml()).getBean(Till.class);
        CompletableFuture<String> inFlight = first.takings(new SharedBatchesFixture.Region(1, "north"));
        awaitCalls(1);
        CompletableFuture<String> following = first.takings(new SharedBatchesFixture.Region(1, "south"));
        calls.get(0).end();
        awaitCalls(2);
        CompletableFuture<String> other = second.takings(new SharedBatchesFixture.Region(1, "north"));
        awaitCalls(3);
        calls.forEach(Made::end);
        assertThat(inFlight.get()).isEqualTo("north, call 1");
        assertThat(following.get()).isEqualTo("south, call 2");
        assertThat(other.get()).isEqualTo("north, call 3");
    }

    private enum Asked {
        PLAIN {
            @Override
            Object of(Till till, Customer customer) {
                return till.plain(customer);
            }
        },
        FUTURE {
            @Override
            Object of(Till till, Customer customer) throws Exception {
                return till.future(customer).get();
            }
        },
        ITEM {
            @Override
            Object of(Till till, Customer customer) throws Exception {
                return till.item(customer);
            }
        };

        abstract Object of(Till till, Customer customer) throws Exception;
    }

    /** Other instances are not told: it is not known any more which call this was. */
    @ParameterizedTest
    @EnumSource
    void aCallWhoseFormFailsWhenItIsMadeAnswersItsCallerAlone(Asked asked) throws Exception {
        ConfigurableApplicationContext first = start(yaml(), ForgetfulForm.class);
        ConfigurableApplicationContext second = start(yaml(), ForgetfulForm.class);
        Future<Object> forgotten = asUser(null, () -> asked.of(first.getBean(Till.class), new Customer(7)));
        awaitCalls(1);
        Future<Object> other = asUser(null, () -> asked.of(second.getBean(Till.class), new Customer(7)));
        calls.get(0).end();
        awaitCalls(2);
        calls.get(1).end();
        assertThat(got(forgotten)).isEqualTo("7, call 1");
        assertThat(got(other)).isEqualTo("7, call 2");
        assertThat(second.getBean(ClusterCalls.class).counts().taken()).isZero();
    }
}

package io.github.collapseexecutor.spring.boot.cluster;

import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import reactor.core.publisher.Mono;

/** Batch methods of two applications that share nothing but a Redis; a test holds their calls. */
abstract class SharedBatchesFixture extends SharedMethodsFixture {

    /** One batch after another, so that a test says what is in one. */
    private static final String BATCHES = """
            ---
            collapse.executor.executors:
              items:
                cluster: true
                max-concurrent-batches: 1
              futureItems.cluster: true
              monoItems.cluster: true
              optionalItems.cluster: true
              acrossItems.cluster: true
              quoteItems.cluster: true
              failingItems.cluster: true
              otherNames.cluster: true
              freshItems:
                cluster: true
                join: fresh
            """;

    // immutable
    final Store store = new Store();

    @AfterEach
    void letGo() {
        store.open = true;
        store.gates.values().forEach(gate -> gate.complete(null));
    }

    /** What all batch methods ask. A call that asks for an item with a gate waits there. */
    static final class Store {

        // mutable, thread-safe
        final List<List<String>> asked = new CopyOnWriteArrayList<>();
        final Map<String, CompletableFuture<@Nullable Void>> gates = new ConcurrentHashMap<>();
        private volatile boolean open;

        /** Has the calls that ask for an item wait. */
        void hold(String item) {
            gates.put(item, new CompletableFuture<>());
        }

        void release(String item) {
            gates.get(item).complete(null);
        }

        int call(Collection<String> items) {
            int call;
            synchronized (this) {
                asked.add(List.copyOf(items));
                call = asked.size();
            }
            for (String item : items) {
                CompletableFuture<@Nullable Void> gate = gates.get(item);
                try {
                    if (gate != null && !open) {
                        gate.get(60, TimeUnit.SECONDS);
                    }
                } catch (InterruptedException | ExecutionException | TimeoutException e) {
                    throw new IllegalStateException(e);
                }
            }
            return call;
        }

        Map<String, String> answers(Collection<String> items, String user) {
            int call = call(items);
            Map<String, String> answers = new LinkedHashMap<>();
            for (String item : items) {
                if (!item.startsWith("no ")) {
                    answers.put(item, item + " of " + user + ", call " + call);
                }
            }
            return answers;
        }
    }

    /** Equal by its number; answers differ by the name, too. */
    record Region(int number, String name) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Region region && region.number == number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    static class Catalogue {

        // immutable
        private final Store store;

        Catalogue(Store store) {
            this.store = store;
        }

        @CollapseBatch(method = "items", name = "items")
        public @Nullable String item(String item) {
            return "alone: " + item;
        }

        public Map<String, String> items(Collection<String> items) {
            return store.answers(items, userName());
        }

        @CollapseBatch(method = "itemsIn", name = "items")
        public @Nullable String itemIn(String item, Region region, List<String> tags) {
            return "alone: " + item;
        }

        public Map<String, String> itemsIn(Collection<String> items, Region region, List<String> tags) {
            Map<String, String> answers = new HashMap<>();
            store.answers(items, userName())
                    .forEach((item, answer) -> answers.put(item, answer + " in " + region.name() + tags));
            return answers;
        }

        @CollapseBatch(method = "futureItems", name = "futureItems")
        public CompletableFuture<String> futureItem(String item) {
            return CompletableFuture.completedFuture("alone: " + item);
        }

        public CompletableFuture<Map<String, String>> futureItems(Collection<String> items) {
            String user = userName();
            return CompletableFuture.supplyAsync(() -> store.answers(items, user), task -> new Thread(task).start());
        }

        @CollapseBatch(method = "monoItems", name = "monoItems")
        public Mono<String> monoItem(String item) {
            return Mono.just("alone: " + item);
        }

        public Mono<Map<String, String>> monoItems(Collection<String> items) {
            return ReactiveSecurityContextHolder.getContext()
                    .map(SharedMethodsFixture::nameOf)
                    .defaultIfEmpty("nobody")
                    .flatMap(user -> Mono.fromFuture(() -> CompletableFuture.supplyAsync(
                            () -> store.answers(items, user), task -> new Thread(task).start())));
        }

        @CollapseBatch(method = "items", name = "optionalItems")
        public Optional<String> optionalItem(String item) {
            return Optional.of("alone: " + item);
        }

        @CollapseBatch(method = "items", name = "acrossItems", acrossUsers = true)
        public @Nullable String acrossItem(String item) {
            return "alone: " + item;
        }

        @CollapseBatch(method = "items", name = "freshItems")
        public @Nullable String freshItem(String item) {
            return "alone: " + item;
        }

        @CollapseBatch(method = "items", name = "notShared")
        public @Nullable String notShared(String item) {
            return "alone: " + item;
        }

        @CollapseBatch(method = "quotes", name = "quoteItems")
        public @Nullable Quote quoteItem(String item) {
            return new Quote("alone: " + item);
        }

        public Map<String, Quote> quotes(Collection<String> items) {
            Map<String, Quote> quotes = new HashMap<>();
            store.answers(items, userName()).forEach((item, answer) -> quotes.put(item, new Quote(answer)));
            return quotes;
        }

        @CollapseBatch(method = "failing", name = "failingItems")
        public @Nullable String failing(String item) {
            return "alone: " + item;
        }

        public Map<String, String> failing(Collection<String> items) {
            int call = store.call(items);
            Map<String, Throwable> failures = new HashMap<>();
            for (String item : items) {
                failures.put(item, new IllegalArgumentException("no " + item + ", call " + call));
            }
            return KeyedResult.of(Map.of(), failures);
        }

        @CollapseBatch(method = "otherNames", name = "otherNames")
        public @Nullable String otherName(String item) {
            throw new AssertionError("only the batch method is called");
        }

        /** Knows items by names that mean the same to a database. */
        public Map<String, String> otherNames(Collection<String> items) {
            Map<String, String> answers = new HashMap<>();
            store.answers(items, userName())
                    .forEach((item, answer) -> answers.put(item.toUpperCase(Locale.ROOT), answer));
            return answers;
        }
    }

    @Override
    TestApplication application(Class<?>... configurations) {
        return new TestApplication()
                .aloneWithRedis()
                .with(QuoteCodec.class)
                .with(configurations)
                .with((GenericApplicationContext context) -> {
                    context.registerBean("store", Store.class, () -> store);
                    context.registerBean("catalogue", Catalogue.class);
                });
    }

    @Override
    ConfigurableApplicationContext start(Class<?>... configurations) {
        return start(yaml(redis.port()), configurations);
    }

    static String yaml(int port) {
        return YAML.formatted(port) + BATCHES;
    }

    /** Asks a catalogue. */
    interface AskingForItem {
        Object of(Catalogue catalogue) throws Exception;
    }

    Future<Object> askFor(ConfigurableApplicationContext context, @Nullable Authentication user, AskingForItem asking) {
        Catalogue catalogue = context.getBean(Catalogue.class);
        return asUser(user, () -> asking.of(catalogue));
    }

    static List<Object> got(List<Future<Object>> answers) throws Exception {
        List<Object> got = new ArrayList<>();
        for (Future<Object> answer : answers) {
            got.add(got(answer));
        }
        return got;
    }

    /** The ways to answer. */
    enum ItemWay implements AskingForItem {
        PLAIN {
            @Override
            public Object of(Catalogue catalogue) {
                return catalogue.item("tea");
            }
        },
        FUTURE {
            @Override
            public Object of(Catalogue catalogue) throws Exception {
                return catalogue.futureItem("tea").get();
            }
        },
        MONO {
            @Override
            public Object of(Catalogue catalogue) {
                return awaited(catalogue.monoItem("tea"));
            }
        }
    }
}

package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BatchFunction;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Functions by key of instances that share nothing but Redis, whose bulk calls a test sees and ends. */
abstract class SharedKeysFixture extends SharingFixture {

    /** The two forms of a function by key. */
    enum Form {
        BLOCKING,
        STAGE
    }

    /** A bulk call that is under way until the test ends it. */
    record Bulk(List<Object> keys, CompletableFuture<Map<Object, String>> end) {

        void answer(String from) {
            Map<Object, String> values = new HashMap<>();
            keys.forEach(key -> values.put(key, key + " " + from));
            end.complete(values);
        }
    }

    /** The function of one instance, whose bulk calls the test sees, and ends. */
    final class Asker {

        final BlockingQueue<Bulk> bulks = new LinkedBlockingQueue<>();
        final Instance instance;
        final BatchFunction<Collection<Object>, CompletionStage<Map<Object, String>>> function;

        Asker(Form form, Instance instance) {
            this(form, instance, "users", Instance.TEXT);
        }

        Asker(Form form, Instance instance, String name, ResultCodec<String> codec) {
            this.instance = instance;
            if (form == Form.STAGE) {
                function = instance.calls().sharedByKeyStage(name, this::begun, codec);
            } else {
                BatchFunction<Collection<Object>, Map<Object, String>> blocking =
                        instance.calls().sharedByKey(name, keys -> got(begun(keys)), codec);
                function = keys -> CompletableFuture.completedFuture(blocking.apply(keys));
            }
        }

        private CompletableFuture<Map<Object, String>> begun(Collection<Object> keys) {
            Bulk bulk = new Bulk(List.copyOf(keys), new CompletableFuture<>());
            calls.incrementAndGet();
            bulks.add(bulk);
            return bulk.end();
        }

        /** What a batch of these keys comes to. */
        Future<Map<Object, String>> ask(Object... keys) {
            return threads.submit(() -> got(function.apply(List.of(keys))));
        }

        Bulk next() throws InterruptedException {
            Bulk next = bulks.poll(20, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            return next;
        }

        ClusterCounts counts() {
            return instance.calls().counts();
        }
    }

    static <T> T got(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    static String nameOf(Object key) {
        String text = new String(PlainValues.keyOf(List.of("users", key)), StandardCharsets.ISO_8859_1);
        return new String(Instance.envelope().nameOf("key", "", text), StandardCharsets.UTF_8);
    }

    void awaitWaiter(Object key) {
        awaitWaiters(key, 1);
    }

    void awaitWaiters(Object key, int count) {
        await().untilAsserted(
                        () -> assertThat(redis.commands().hgetall(nameOf(key)).keySet())
                                .filteredOn(field -> field.matches("w.{16}"))
                                .hasSize(count));
    }
}

package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** A call that all its callers have left is cancelled. */
class CancelledCallTests {

    static class Slow {

        // immutable
        private final CompletableFuture<Object> made = new CompletableFuture<>();

        @Collapsible
        public CompletableFuture<Object> future(String item) {
            return made;
        }

        @Collapsible
        public Mono<Object> mono(String item) {
            return Mono.fromFuture(made);
        }

        @CollapseBatch(method = "futures")
        public CompletableFuture<Object> ofFutures(String item) {
            throw new AssertionError("only the batch method is called");
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        public CompletableFuture<Map<String, Object>> futures(Collection<String> items) {
            return (CompletableFuture) made;
        }

        @CollapseBatch(method = "monos")
        public Mono<Object> ofMonos(String item) {
            throw new AssertionError("only the batch method is called");
        }

        public Mono<Map<String, Object>> monos(List<String> items) {
            return Mono.fromFuture(futures(items));
        }

        public CompletableFuture<Object> made() {
            return made;
        }
    }

    private final Application application = Application.start(Slow.class);
    private final Slow slow = application.get(Slow.class);

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void ofAFuture() {
        slow.future("tea").cancel(true);
        assertCancelled();
    }

    @Test
    void ofAMono() {
        Disposable subscription = slow.mono("tea").subscribe();
        subscription.dispose();
        assertCancelled();
    }

    @Test
    void ofABatchOfFutures() {
        CompletableFuture<Object> first = slow.ofFutures("tea");
        first.cancel(true);
        assertCancelled();
    }

    @Test
    void ofABatchOfMonos() {
        Disposable subscription = slow.ofMonos("tea").subscribe();
        subscription.dispose();
        assertCancelled();
    }

    private void assertCancelled() {
        await().untilAsserted(() -> assertThat(slow.made()).isCancelled());
    }
}

package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/grpc.md shows of Mutiny. */
class MutinyExamplesTests {

    /** Another service, whose calls end when the test says so. */
    private static final class Client {

        private final List<UniEmitter<? super String>> calls = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Void> cancelled = new CompletableFuture<>();

        Uni<User> user(long id) {
            Uni<String> name = Uni.createFrom().emitter(call -> {
                call.onTermination(() -> cancelled.complete(null));
                calls.add(call);
            });
            return name.map(found -> new User(id, found));
        }
    }

    private final Client client = new Client();

    private final FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
            CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());

    private Uni<User> user7() {
        // readme:begin mutiny
        Uni<User> user = Uni.createFrom()
                .completionStage(
                        () -> executor.execute("user 7", () -> client.user(7).subscribeAsCompletionStage()));
        // readme:end
        return user;
    }

    @Test
    void subscribersShareACall() {
        Uni<User> cold = user7();
        assertThat(client.calls).as("before anybody subscribes").isEmpty();
        List<CompletableFuture<User>> callers =
                Stream.generate(cold::subscribeAsCompletionStage).limit(200).toList();
        client.calls.get(0).complete("user 7");
        assertThat(callers.stream().map(CompletableFuture::join)).hasSize(200).containsOnly(new User(7, "user 7"));
        assertThat(client.calls).hasSize(1);
    }

    @Test
    void theLastSubscriberThatCancelsCancelsTheCall() {
        UniAssertSubscriber<User> first = user7().subscribe().withSubscriber(UniAssertSubscriber.create());
        UniAssertSubscriber<User> second = user7().subscribe().withSubscriber(UniAssertSubscriber.create());
        first.cancel();
        assertThat(client.cancelled).isNotDone();
        second.cancel();
        client.cancelled.join();
        assertThat(client.calls).hasSize(1);
    }

    @Test
    void eachSubscriberGetsTheFailureAsItWas() {
        UniAssertSubscriber<User> first = user7().subscribe().withSubscriber(UniAssertSubscriber.create());
        UniAssertSubscriber<User> second = user7().subscribe().withSubscriber(UniAssertSubscriber.create());
        client.calls.get(0).fail(new IOException("broken"));
        first.awaitFailure().assertFailedWith(IOException.class, "broken");
        second.awaitFailure().assertFailedWith(IOException.class, "broken");
    }
}

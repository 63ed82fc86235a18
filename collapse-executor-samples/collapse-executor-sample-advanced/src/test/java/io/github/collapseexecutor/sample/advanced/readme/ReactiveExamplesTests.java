package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.reactor.ReactiveCollapseExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The examples of bulk calls for subscribers. */
class ReactiveExamplesTests {

    private static final int SUBSCRIBERS = 200;

    /** Another service that takes many keys at once. */
    private static final class Client {

        private final List<Collection<Long>> calls = new ArrayList<>();

        synchronized Flux<User> usersByIds(Collection<Long> ids) {
            calls.add(List.copyOf(ids));
            return Flux.fromIterable(ids).map(id -> new User(id, "user " + id)).delaySequence(Duration.ofMillis(100));
        }
    }

    @Test
    void subscribersShareBulkCalls() {
        Client client = new Client();
        // readme:begin reactive-by-item
        ReactiveCollapseExecutor<Long, User> users = ReactiveCollapseExecutor.byItem(
                client::usersByIds, User::id, MissingKeyPolicy.NULL, CollapseOptions.defaults());

        Mono<User> user = users.execute(7L);
        // readme:end
        // readme:begin reactive-context
        ReactiveCollapseExecutor<Long, User> ofTenants = users.forContexts(context -> context.get("tenant"));
        // readme:end
        assertThat(user.block(Duration.ofSeconds(30)).name()).isEqualTo("user 7");
        assertThat(ofTenants
                        .execute(8L)
                        .contextWrite(context -> context.put("tenant", "a"))
                        .block(Duration.ofSeconds(30))
                        .name())
                .isEqualTo("user 8");
        client.calls.clear();
        List<User> all = Flux.range(0, SUBSCRIBERS)
                .flatMap(i -> users.execute((long) i), SUBSCRIBERS)
                .collectList()
                .block(Duration.ofSeconds(30));
        assertThat(all).hasSize(SUBSCRIBERS);
        assertThat(client.calls).hasSizeLessThanOrEqualTo(SUBSCRIBERS / 4);
    }
}

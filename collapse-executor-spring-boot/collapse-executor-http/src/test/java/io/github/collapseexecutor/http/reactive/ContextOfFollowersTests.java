package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.micrometer.context.ContextRegistry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/** A carrier finds the context of the subscriber, also where that gathers once more on the thread that ended another's call. */
class ContextOfFollowersTests extends OriginFixture {

    private static final String KEY = "caller";
    private static final ThreadLocal<String> CALLER = new ThreadLocal<>();

    private final List<String> captured = new CopyOnWriteArrayList<>();
    private final CollapseOptions carrying =
            IN_FLIGHT.toBuilder().contextCarrier(new Carrier()).build();

    private final class Carrier implements ContextCarrier {

        @Override
        public String capture() {
            String caller = Objects.requireNonNullElse(CALLER.get(), "nobody");
            captured.add(caller);
            return caller;
        }

        @Override
        public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
            return execution.call();
        }
    }

    @BeforeEach
    void register() {
        ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, CALLER);
    }

    @AfterEach
    void unregister() {
        ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
    }

    private WebClient client(boolean byConnector) {
        CollapseExchangeFilterFunction filter =
                new CollapseExchangeFilterFunction(everything().build(), carrying);
        return byConnector
                ? WebClient.builder()
                        .clientConnector(filter.around(new JdkClientHttpConnector()))
                        .build()
                : WebClient.builder()
                        .clientConnector(new JdkClientHttpConnector())
                        .filter(filter)
                        .build();
    }

    private CompletableFuture<String> asked(WebClient client, String caller) {
        return client.get()
                .uri(origin.uri("/a"))
                .retrieve()
                .bodyToMono(String.class)
                .contextWrite(context -> context.put(KEY, caller))
                .toFuture();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFollowerThatCallsAgainForAFailedLeaderIsAskedForItsOwnContext(boolean byConnector) throws Exception {
        origin.answer(request ->
                origin.requests().size() == 1 ? OriginReply.ok("half").truncated() : OriginReply.ok("body"));
        WebClient client = client(byConnector);
        Hold hold = origin.hold();
        CompletableFuture<String> leader = asked(client, "leader");
        hold.await(1);
        CompletableFuture<String> follower = asked(client, "follower");
        origin.holdNoMore();
        hold.release();
        assertThat(follower.get(30, TimeUnit.SECONDS)).isEqualTo("body");
        assertThat(leader).failsWithin(30, TimeUnit.SECONDS);
        assertThat(captured).containsExactly("leader", "follower", "follower");
    }
}

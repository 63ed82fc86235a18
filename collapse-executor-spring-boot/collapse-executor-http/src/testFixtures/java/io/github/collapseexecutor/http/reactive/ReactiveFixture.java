package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** A scripted origin, and clients of WebClient that collapse and tell what reaches their transport. */
@ExtendWith(NettyLeaks.class)
abstract class ReactiveFixture extends OriginFixture {

    final List<String> sentFor = new CopyOnWriteArrayList<>();
    final CountDownLatch exchangeCancelled = new CountDownLatch(1);

    WebClient client() {
        return client(everything(CollapsePolicy.strict()), HttpClient.create());
    }

    WebClient client(HttpCollapseOptions.Builder http, HttpClient transport) {
        return client(http.build(), IN_FLIGHT, new ReactorClientHttpConnector(transport));
    }

    WebClient client(HttpCollapseOptions http, CollapseOptions core, ClientHttpConnector transport) {
        return clientOver(
                new WatchedConnector(
                        transport,
                        context -> sentFor.add(context.getOrDefault("user", "nobody")),
                        exchangeCancelled::countDown),
                http,
                core);
    }

    /** A client whose requests collapse before they reach a transport. */
    abstract WebClient clientOver(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core);

    Mono<String> get(WebClient client) {
        return client.get().uri(origin.uri("/a")).retrieve().bodyToMono(String.class);
    }

    static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }
}

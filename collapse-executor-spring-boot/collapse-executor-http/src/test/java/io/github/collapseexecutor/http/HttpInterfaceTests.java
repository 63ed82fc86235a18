package io.github.collapseexecutor.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Mono;

/** HTTP interfaces collapse by the client that they are made of; nothing of theirs has to be configured. */
class HttpInterfaceTests extends OriginFixture {

    private static final int CALLERS = 8;

    private static final HttpCollapseOptions USERS = HttpCollapseOptions.builder()
            .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/users/*")))
            .build();

    @HttpExchange("/users")
    interface BlockingUsers {
        @GetExchange("/{id}")
        String find(@PathVariable("id") long id);

        @PostExchange("/{id}")
        String touch(@PathVariable("id") long id);
    }

    @HttpExchange("/users")
    interface ReactiveUsers {
        @GetExchange("/{id}")
        Mono<String> find(@PathVariable("id") long id);
    }

    @Override
    @BeforeEach
    protected void open() throws IOException {
        super.open();
        origin.answer(request -> OriginReply.ok(request.method() + " " + request.target()));
    }

    @Test
    void callersOfAnInterfaceOverRestClientShareACall() throws Exception {
        RestClient client = RestClient.builder()
                .baseUrl(origin.uri("").toString())
                .requestInterceptor(new CollapseHttpRequestInterceptor(USERS, IN_FLIGHT))
                .build();
        BlockingUsers users = HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(BlockingUsers.class);
        Hold hold = origin.hold();
        List<Caller<String>> finding = new ArrayList<>();
        finding.add(callers.start(() -> users.find(7)));
        hold.await(1);
        finding.addAll(callers.start(CALLERS, () -> users.find(7)));
        Callers.awaitJoined(finding, CALLERS);
        origin.holdNoMore();
        assertThat(users.touch(7)).isEqualTo("POST /users/7");
        hold.release();
        for (Caller<String> caller : finding) {
            assertThat(caller.get()).isEqualTo("GET /users/7");
        }
        assertThat(origin.requests()).extracting(OriginRequest::method).containsExactly("GET", "POST");
    }

    @Test
    void callersOfAnInterfaceOverWebClientShareACall() throws Exception {
        WebClient client = WebClient.builder()
                .baseUrl(origin.uri("").toString())
                .filter(new CollapseExchangeFilterFunction(USERS, IN_FLIGHT))
                .build();
        ReactiveUsers users = HttpServiceProxyFactory.builderFor(WebClientAdapter.create(client))
                .build()
                .createClient(ReactiveUsers.class);
        Hold hold = origin.hold();
        List<CompletableFuture<String>> finding = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            finding.add(users.find(7).toFuture());
        }
        hold.release();
        for (CompletableFuture<String> found : finding) {
            assertThat(found.get(30, TimeUnit.SECONDS)).isEqualTo("GET /users/7");
        }
        assertThat(origin.requests()).hasSize(1);
    }
}

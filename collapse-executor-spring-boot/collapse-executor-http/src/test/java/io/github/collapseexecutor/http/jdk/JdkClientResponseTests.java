package io.github.collapseexecutor.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What a caller sees of a response is what the client of the JDK shows it: its own request and address, and a body that may be missing. */
@OnEachJdk
class JdkClientResponseTests extends JdkClientFixture {

    /** What a response shows, without what differs between two exchanges. */
    private static String shown(HttpResponse<String> response) {
        return response.statusCode() + " " + response.headers().map() + " " + response.body() + " " + response.uri()
                + " " + response.request() + " " + response.version() + " " + response.previousResponse() + " "
                + response.sslSession();
    }

    /** The responses to a leader that is held and to those that come meanwhile. */
    private List<HttpResponse<String>> atOnce(HttpClient client, List<HttpRequest> requests) throws Exception {
        Hold hold = origin.hold();
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        for (HttpRequest request : requests) {
            sent.add(client.sendAsync(request, BodyHandlers.ofString()));
            if (sent.size() == 1) {
                hold.await(1);
            }
        }
        origin.holdNoMore();
        hold.release();
        List<HttpResponse<String>> responses = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> response : sent) {
            responses.add(valueOf(response));
        }
        return responses;
    }

    @Test
    void H28_aHeadThatIsRedirectedAsAGetShowsItself() throws Exception {
        origin.answer(request -> request.target().equals("/end")
                ? OriginReply.ok("")
                : OriginReply.status(303, "See Other", "")
                        .with("Location", origin.uri("/end").toString()));
        HttpClient plain = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.ALWAYS)
                .build();
        HttpRequest head = HttpRequest.newBuilder(origin.uri("/begin"))
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        for (HttpClient client :
                List.of(plain, new CollapseHttpClient(plain, everything().build(), IN_FLIGHT))) {
            HttpResponse<Void> response = client.send(head, BodyHandlers.discarding());
            assertThat(response.request().method()).isEqualTo("GET");
            assertThat(response.request().uri()).isEqualTo(origin.uri("/end"));
        }
    }

    @Test
    void H43_aStageBehindTheFutureOfAFailedCallSeesItsFailureWrapped() throws Exception {
        origin.answer(request -> OriginReply.reset());
        for (HttpClient client : List.of(JdkClients.PLAIN, fresh())) {
            CompletableFuture<Throwable> seen =
                    client.sendAsync(get(), BodyHandlers.ofString()).handle((response, failure) -> failure);
            assertThat(valueOf(seen)).isInstanceOf(CompletionException.class).hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void H39_aProxyThatRefusesToConnectGivesAResponseWithoutABody() throws Exception {
        origin.answer(request -> OriginReply.status(407, "Proxy Authentication Required", "who are you?")
                .with("Proxy-Authenticate", "Basic realm=\"proxy\""));
        HttpClient plain = HttpClient.newBuilder()
                .proxy(ProxySelector.of(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), origin.uri("/").getPort())))
                .build();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("https://secured.example/a")).build();
        String expected = shown(plain.send(request, BodyHandlers.ofString()));
        assertThat(expected).startsWith("407 ").contains(" null https://secured.example/a ");
        HttpCollapseOptions dryRun = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**").inDryRun(new DryRun("proxy"))))
                .build();
        for (HttpClient client : List.of(
                collapsing(plain),
                new CollapseHttpClient(plain, dryRun),
                new CollapseHttpClient(plain, everything().build()))) {
            assertThat(shown(client.send(request, BodyHandlers.ofString()))).isEqualTo(expected);
            assertThat(shown(valueOf(client.sendAsync(request, BodyHandlers.ofString()))))
                    .isEqualTo(expected);
        }
        assertThat(atOnce(collapsing(plain), List.of(request, request, request)))
                .extracting(JdkClientResponseTests::shown)
                .containsOnly(expected);
    }

    /** Requests that share a call may differ in what the policy ignores, and in what no server sees. */
    @Test
    void H28_everyCallerSeesItsOwnAddress() throws Exception {
        HttpClient client = new CollapseHttpClient(
                JdkClients.PLAIN, everything(CollapsePolicy.pathOnly()).build(), IN_FLIGHT);
        List<HttpRequest> requests = new ArrayList<>();
        for (String target : List.of("/a?user=one", "/a?user=two", "/a", "/a#part", "/a?#", "/a?user=one#part")) {
            requests.add(HttpRequest.newBuilder(origin.uri(target)).build());
        }
        List<HttpResponse<String>> responses = atOnce(client, requests);
        assertThat(origin.requests()).hasSize(1);
        for (int i = 0; i < requests.size(); i++) {
            assertThat(responses.get(i).request()).isSameAs(requests.get(i));
            assertThat(responses.get(i).uri()).isEqualTo(requests.get(i).uri());
            assertThat(responses.get(i))
                    .asString()
                    .contains(requests.get(i).uri().toString());
        }
    }

    /** The methods of the JDK that runs: a later one has more of them. */
    @Test
    void H41_everythingElseThatAResponseShowsIsThatOfTheExchange() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(origin.uri("/a")).build();
        HttpResponse<String> plain = JdkClients.PLAIN.send(request, BodyHandlers.ofString());
        List<HttpResponse<String>> shared = atOnce(collapsing(JdkClients.PLAIN), List.of(request, request, request));
        for (Method method : HttpResponse.class.getMethods()) {
            if (Set.of("request", "uri", "body").contains(method.getName())) {
                continue; // the caller's own
            }
            List<Object> seen = new ArrayList<>();
            for (HttpResponse<String> response : shared) {
                seen.add(method.invoke(response));
            }
            assertThat(seen).as(method.getName()).containsOnly(seen.get(0));
            assertThat(seen.get(0) instanceof Optional<?> value && value.isPresent())
                    .as(method.getName())
                    .isEqualTo(method.invoke(plain) instanceof Optional<?> value && value.isPresent());
        }
    }
}

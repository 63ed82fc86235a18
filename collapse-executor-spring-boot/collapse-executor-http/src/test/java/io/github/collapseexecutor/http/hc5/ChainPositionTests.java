package io.github.collapseexecutor.http.hc5;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.client5.http.auth.AuthExchange;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.auth.BasicScheme;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.cookie.BasicClientCookie;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.junit.jupiter.api.Test;

/**
 * What stands in front of the adapter and what behind it: redirects, retries, decompression and authentication are each caller's
 * own, and each request that they lead to may share; cookies, proxy and connection are behind.
 */
@OnEachJdk
class ChainPositionTests extends ApacheClientFixture {

    @Test
    void H05_cookiesOfAStoreArePartOfTheKey() throws Exception {
        BasicCookieStore cookies = new BasicCookieStore();
        CloseableHttpClient client = collapsing(ApacheClients.builder().setDefaultCookieStore(cookies));
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
        Hold hold = origin.hold();
        Caller<String> before = callers.start(() -> bodyOf(client));
        hold.await(1);
        BasicClientCookie user = new BasicClientCookie("user", "one");
        user.setDomain(origin.uri("/").getHost());
        user.setPath("/");
        cookies.addCookie(user);
        Caller<String> after = callers.start(() -> bodyOf(client));
        hold.await(1);
        Caller<String> joined = callers.start(() -> bodyOf(client));
        joined.awaitJoined();
        hold.release();
        assertThat(before.get()).isEqualTo("null");
        assertThat(after.get()).isEqualTo("user=one");
        assertThat(joined.get()).isEqualTo("user=one");
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void H36_cookiesThatChangeAfterTheKeyWasMadeAreNotShared() throws Exception {
        BasicCookieStore cookies = new BasicCookieStore();
        BasicClientCookie user = new BasicClientCookie("user", "one");
        user.setDomain(origin.uri("/").getHost());
        user.setPath("/");
        CloseableHttpClient client = collapsing(ApacheClients.builder()
                .setDefaultCookieStore(cookies)
                .addRequestInterceptorFirst((request, entity, context) -> cookies.addCookie(user)));
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
        try (Warnings warnings = new Warnings()) {
            bodyOf(client);
            assertThat(warnings.messages()).hasSize(1).first().asString().containsIgnoringCase("cookie");
        }
    }

    private BasicCredentialsProvider credentials() {
        BasicCredentialsProvider provider = new BasicCredentialsProvider();
        provider.setCredentials(new AuthScope(null, -1), new UsernamePasswordCredentials("one", "word".toCharArray()));
        return provider;
    }

    /**
     * Each of five callers is challenged, on one of two connections, and then repeats its request with the same credentials.
     * A follower that waited with a connection would keep the leader from getting one.
     */
    @Test
    void H05_callersThatWereChallengedShareTheRequestWithCredentials() throws Exception {
        Semaphore authorized = new Semaphore(0);
        CountDownLatch challenged = new CountDownLatch(5);
        CountDownLatch answer = new CountDownLatch(1);
        origin.answer(request -> {
            if (request.header("Authorization") == null) {
                challenged.countDown();
                return OriginReply.status(401, "Unauthorized", "who?").with("WWW-Authenticate", "Basic realm=\"test\"");
            }
            authorized.release();
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return OriginReply.ok("for one").with("Cache-Control", "private");
        });
        try (PoolingHttpClientConnectionManager pool = ApacheClients.poolOf(2);
                CloseableHttpClient client = collapsing(ApacheClients.builder()
                        .setConnectionManager(pool)
                        .setDefaultCredentialsProvider(credentials()))) {
            List<Caller<String>> asking = new ArrayList<>();
            for (Callable<String> call : times(5, () -> bodyOf(client))) {
                asking.add(callers.start(call));
            }
            assertThat(authorized.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            // or one that has waited for the first challenge, and has not gone on yet, would look as if it waited for
            // the answer
            assertThat(challenged.await(30, TimeUnit.SECONDS)).isTrue();
            Callers.awaitJoined(asking, 4);
            assertThat(pool.getTotalStats().getLeased())
                    .as("by the leader only")
                    .isEqualTo(1);
            answer.countDown();
            assertThat(resultsOf(asking)).containsOnly("for one");
            assertThat(pool.getTotalStats().getLeased()).isZero();
        }
        assertThat(origin.requests().stream().filter(request -> request.header("Authorization") != null))
                .hasSize(1);
    }

    /** Authentication of a connection, as NTLM has it. */
    private static final class OfTheConnection extends BasicScheme {

        private static final long serialVersionUID = 1L;

        @Override
        public boolean isConnectionBased() {
            return true;
        }
    }

    @Test
    void H36_requestsOnConnectionsThatAreAuthenticatedDoNotShare() throws Exception {
        CloseableHttpClient client = collapsing();
        Callable<String> call = () -> {
            AuthExchange exchange = new AuthExchange();
            exchange.select(new OfTheConnection());
            HttpClientContext context = HttpClientContext.create();
            context.setAuthExchange(HttpHost.create(origin.uri("")), exchange);
            return client.execute(get("/a"), context, response -> EntityUtils.toString(response.getEntity()));
        };
        try (Warnings warnings = new Warnings()) {
            assertThat(apart(times(2, call))).containsOnly("/a");
            assertThat(warnings.messages()).hasSize(1).first().asString().contains("NTLM");
        }
    }

    @Test
    void requestsByAProxyShare() throws Exception {
        try (ScriptedOrigin proxy = ScriptedOrigin.start()) {
            CountDownLatch joined = new CountDownLatch(1);
            proxy.answer(request -> {
                try {
                    joined.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return OriginReply.ok("by the proxy " + request.target());
            });
            CloseableHttpClient client = collapsing(ApacheClients.builder().setProxy(HttpHost.create(proxy.uri(""))));
            Hold hold = proxy.hold();
            Caller<String> leader = callers.start(() -> bodyOf(client));
            hold.await(1);
            Caller<String> follower = callers.start(() -> bodyOf(client));
            follower.awaitJoined();
            joined.countDown();
            hold.release();
            String expected = "by the proxy " + origin.uri("/a");
            assertThat(leader.get()).isEqualTo(expected);
            assertThat(follower.get()).isEqualTo(expected);
            assertThat(proxy.requests()).hasSize(1);
        }
    }

    @Test
    void H19_everyCallerFollowsRedirectsAndSharesEachStep() throws Exception {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(301, "Moved", "").with("Location", "/b")
                : OriginReply.ok(request.target()));
        CloseableHttpClient client = collapsing();
        Hold first = origin.hold();
        List<Caller<String>> gathered = gathered(first, times(3, () -> bodyOf(client)));
        Map<Caller<String>, Object> before = Callers.batchesOf(gathered);
        Hold second = origin.hold();
        first.release();
        second.await(1);
        Callers.awaitJoinedAnother(gathered, 2, before);
        second.release();
        assertThat(resultsOf(gathered)).containsOnly("/b");
        assertThat(origin.requests()).extracting(OriginRequest::target).containsExactly("/a", "/b");
    }

    @Test
    void H19_aTemporaryRedirectIsEachCallersOwn() throws Exception {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(302, "Found", "").with("Location", "/b")
                : OriginReply.ok(request.target()));
        CloseableHttpClient client = collapsing();
        assertThat(together(times(2, () -> bodyOf(client)))).containsOnly("/b");
        assertThat(origin.requests().stream().filter(request -> request.target().equals("/a")))
                .hasSize(2);
    }

    @Test
    void everyCallersRetriesShareToo() throws Exception {
        origin.answer(request -> origin.requests().size() == 1
                ? OriginReply.status(503, "Unavailable", "").with("Retry-After", "0")
                : OriginReply.ok(request.target()));
        CloseableHttpClient client = collapsing();
        Hold first = origin.hold();
        List<Caller<String>> gathered = gathered(first, times(3, () -> bodyOf(client)));
        Map<Caller<String>, Object> before = Callers.batchesOf(gathered);
        Hold second = origin.hold();
        first.release();
        second.await(1);
        Callers.awaitJoinedAnother(gathered, 2, before);
        second.release();
        assertThat(resultsOf(gathered)).containsOnly("/a");
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void everyCallerDecodesItsOwnCopy() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write("a text".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        origin.answer(
                request -> String.valueOf(request.header("Accept-Encoding")).contains("gzip")
                        ? OriginReply.ok(bytes.toByteArray())
                                .with("Content-Encoding", "gzip")
                                .with("Vary", "Accept-Encoding")
                        : OriginReply.status(406, "Not Acceptable", ""));
        CloseableHttpClient client = collapsing();
        assertThat(together(times(3, () -> bodyOf(client)))).containsOnly("a text");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void followersHoldNoConnectionAndTheLeaderGivesItsOwnBack() throws Exception {
        try (PoolingHttpClientConnectionManager pool = ApacheClients.poolOf(1);
                CloseableHttpClient client = collapsing(ApacheClients.builder().setConnectionManager(pool))) {
            Hold hold = origin.hold();
            List<Caller<String>> gathered = gathered(hold, times(5, () -> bodyOf(client)));
            assertThat(pool.getTotalStats().getLeased()).isEqualTo(1);
            origin.holdNoMore();
            hold.release();
            assertThat(resultsOf(gathered)).containsOnly("/a");
            assertThat(pool.getTotalStats().getLeased()).isZero();
            assertThat(pool.getTotalStats().getAvailable())
                    .as("kept for the next")
                    .isEqualTo(1);
        }
    }

    @Test
    void H36_behindTheConnectionNothingIsShared() throws Exception {
        CloseableHttpClient client = ApacheClients.builder()
                .addExecInterceptorLast("collapse", handler())
                .build();
        try (Warnings warnings = new Warnings()) {
            assertThat(apart(times(2, () -> bodyOf(client)))).containsOnly("/a");
            assertThat(warnings.messages()).hasSize(1).first().asString().contains("addExecInterceptorBefore");
        }
    }

    @Test
    void H36_inFrontOfAllARedirectedResponseIsNotShared() throws Exception {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(302, "Found", "").with("Location", "/b")
                : OriginReply.ok(request.target()));
        CloseableHttpClient client = ApacheClients.builder()
                .disableContentCompression() // it would add a header behind
                .addExecInterceptorFirst("collapse", handler())
                .build();
        assertThat(together(times(2, () -> bodyOf(client)))).containsOnly("/b");
        assertThat(origin.requests()).hasSize(4);
    }

    @Test
    void H36_aHeaderThatIsAddedBehindIsNamedAndNotShared() throws Exception {
        CloseableHttpClient client = collapsing(ApacheClients.builder()
                .addRequestInterceptorLast((request, entity, context) -> request.setHeader("X-Tenant", "secret")));
        try (Warnings warnings = new Warnings()) {
            assertThat(together(times(3, () -> bodyOf(client)))).containsOnly("/a");
            assertThat(origin.requests()).hasSize(3);
            assertThat(warnings.messages())
                    .hasSize(1)
                    .first()
                    .asString()
                    .containsIgnoringCase("x-tenant")
                    .doesNotContain("secret");
        }
    }
}

package io.github.collapseexecutor.http.hc5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.RefusedAddress;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only the adapter of Apache HttpClient promises: cancellation, contexts, entities, exceptions. */
@OnEachJdk
class CollapseExecChainHandlerTests extends ApacheClientFixture {

    /** A client whose callers share any failure but that of a leader that was cancelled. */
    private static CloseableHttpClient sharingFailures() {
        return sharingFailures(ApacheClients.builder());
    }

    private static CloseableHttpClient sharingFailures(HttpClientBuilder builder) {
        return ApacheClients.collapsing(
                        builder.disableAutomaticRetries(),
                        new CollapseExecChainHandler(
                                everything()
                                        .onLeaderFailure(LeaderFailurePolicy.SHARE)
                                        .build(),
                                IN_FLIGHT))
                .build();
    }

    @Test
    void H23_aLeaderThatIsCancelledFailsNoFollower() throws Exception {
        CloseableHttpClient client = sharingFailures();
        HttpGet leaders = get("/a");
        Hold hold = origin.hold();
        List<Caller<String>> gathered =
                gathered(hold, List.of(() -> bodyOf(client, leaders), () -> bodyOf(client), () -> bodyOf(client)));
        origin.holdNoMore();
        leaders.cancel();
        assertThat(gathered.get(0).failure()).isInstanceOf(IOException.class);
        assertThat(resultsOf(gathered.subList(1, 3))).containsOnly("/a");
        assertThat(origin.requests()).hasSize(2);
        hold.release();
    }

    @Test
    void H23_aLeaderThatIsCancelledInMidBodyFailsNoFollower() throws Exception {
        origin.answer(request ->
                origin.requests().size() == 1 ? OriginReply.ok("half").stalled() : OriginReply.ok("whole"));
        CloseableHttpClient client = sharingFailures();
        HttpGet leaders = get("/a");
        Hold hold = origin.hold();
        List<Caller<String>> gathered = gathered(hold, List.of(() -> bodyOf(client, leaders), () -> bodyOf(client)));
        origin.holdNoMore();
        hold.release();
        awaitReadingBody(gathered.get(0).thread());
        leaders.cancel();
        assertThat(gathered.get(0).failure()).isInstanceOf(IOException.class);
        assertThat(gathered.get(1).get()).isEqualTo("whole");
    }

    /** The client throws an IllegalStateException then, because it has no connection any more. */
    @Test
    void H23_aLeaderThatIsCancelledBeforeItIsWrittenFailsNoFollower() throws Exception {
        HttpGet leaders = get("/a");
        AtomicBoolean first = new AtomicBoolean(true);
        CountDownLatch connected = new CountDownLatch(1);
        CountDownLatch joined = new CountDownLatch(1);
        CloseableHttpClient client =
                sharingFailures(ApacheClients.builder().addRequestInterceptorLast((request, entity, context) -> {
                    if (first.getAndSet(false)) {
                        connected.countDown();
                        awaitOrFail(joined);
                        leaders.cancel();
                    }
                }));
        Caller<String> leader = callers.start(() -> bodyOf(client, leaders));
        awaitOrFail(connected);
        Caller<String> follower = callers.start(() -> bodyOf(client));
        follower.awaitJoined();
        joined.countDown();
        assertThat(leader.failure()).isInstanceOf(RuntimeException.class);
        assertThat(follower.get()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The head is there: the leader reads the body on behalf of all. */
    private static void awaitReadingBody(Thread leader) {
        await().until(() -> Arrays.stream(leader.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith("BodyPrefix")));
    }

    @Test
    void H24_aFollowerThatIsCancelledEndsAtOnceAndAffectsNobody() throws Exception {
        CloseableHttpClient client = collapsing();
        HttpGet followers = get("/a");
        Hold hold = origin.hold();
        List<Caller<String>> gathered =
                gathered(hold, List.of(() -> bodyOf(client), () -> bodyOf(client, followers), () -> bodyOf(client)));
        followers.cancel();
        assertThat(gathered.get(1).failure())
                .isInstanceOf(RequestFailedException.class)
                .hasMessage("Request aborted");
        assertThat(gathered.get(0).result()).isNotDone();
        origin.holdNoMore();
        hold.release();
        assertThat(gathered.get(0).get()).isEqualTo("/a");
        assertThat(gathered.get(2).get()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H24_aRequestThatWasCancelledBeforeIsNotSent() throws Exception {
        CloseableHttpClient client = collapsing();
        HttpGet cancelled = get("/a");
        cancelled.cancel();
        assertThatThrownBy(() -> bodyOf(client, cancelled)).isInstanceOf(RequestFailedException.class);
        assertThat(origin.requests()).isEmpty();
    }

    @Test
    void H24_anInterruptOfAFollowersThreadEndsItAlone() throws Exception {
        CloseableHttpClient client = collapsing();
        Hold hold = origin.hold();
        List<Caller<String>> gathered = gathered(hold, List.of(() -> bodyOf(client), () -> bodyOf(client)));
        gathered.get(1).thread().interrupt();
        assertThat(gathered.get(1).failure()).isInstanceOf(InterruptedIOException.class);
        hold.release();
        assertThat(gathered.get(0).get()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    /** By its name, because the library wants one of them to be set elsewhere. */
    private HttpGet within(String timeOut, int seconds) throws ReflectiveOperationException {
        RequestConfig.Builder config = RequestConfig.custom();
        RequestConfig.Builder.class.getMethod(timeOut, Timeout.class).invoke(config, Timeout.ofSeconds(seconds));
        HttpGet request = get("/a");
        request.setConfig(config.build());
        return request;
    }

    @ParameterizedTest
    @ValueSource(strings = {"setResponseTimeout", "setConnectionRequestTimeout", "setConnectTimeout"})
    void H25_requestsOfOtherTimeOutsDoNotShare(String timeOut) throws Exception {
        CloseableHttpClient client = collapsing();
        apart(List.of(() -> bodyOf(client, within(timeOut, 30)), () -> bodyOf(client, within(timeOut, 31))));
        together(List.of(() -> bodyOf(client, within(timeOut, 30)), () -> bodyOf(client, within(timeOut, 30))));
        assertThat(origin.requests()).hasSize(3);
    }

    @Test
    void oneMoreThanMayWaitIsRefused() throws Exception {
        CollapseOptions one = IN_FLIGHT.toBuilder().maxPending(1).build();
        CloseableHttpClient client = ApacheClients.collapsing(
                        ApacheClients.builder(),
                        new CollapseExecChainHandler(everything().build(), one))
                .build();
        Hold hold = origin.hold();
        Caller<String> leader = callers.start(() -> bodyOf(client));
        hold.await(1);
        assertThatThrownBy(() -> bodyOf(client)).isInstanceOf(RejectedExecutionException.class);
        hold.release();
        leader.get();
    }

    @Test
    void H22_failuresKeepTheTypeThatTheClientThrows() throws Exception {
        HttpClientBuilder broken = ApacheClients.builder().addRequestInterceptorFirst((request, entity, context) -> {
            throw new ProtocolException("of an interceptor");
        });
        assertThatThrownBy(() -> bodyOf(collapsing(broken)))
                .isInstanceOf(ClientProtocolException.class)
                .hasMessage("of an interceptor")
                .cause()
                .isInstanceOf(ProtocolException.class);
        HttpClientBuilder failing = ApacheClients.builder().addRequestInterceptorFirst((request, entity, context) -> {
            throw new IllegalStateException("of an interceptor");
        });
        assertThatThrownBy(() -> bodyOf(collapsing(failing)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("of an interceptor");
        try (RefusedAddress nobody = new RefusedAddress()) {
            assertThatThrownBy(() -> bodyOf(collapsing(), new HttpGet(nobody.url("/a"))))
                    .isInstanceOf(HttpHostConnectException.class);
        }
    }

    /** A response, and what the caller's context says after the call. */
    private record Told(
            ClassicHttpResponse response, List<Header> headers, HttpEntity entity, HttpClientContext context) {}

    private Told tell(CloseableHttpClient client, HttpGet request) throws IOException {
        HttpClientContext context = HttpClientContext.create();
        return client.execute(request, context, response -> {
            List<Header> headers = new ArrayList<>(Arrays.asList(response.getHeaders()));
            assertThat(EntityUtils.toString(response.getEntity())).isEqualTo("/a");
            response.addHeader("X-Own", request.getFirstHeader("traceparent").getValue());
            return new Told(response, headers, response.getEntity(), context);
        });
    }

    private HttpGet traced(String trace) {
        HttpGet request = get("/a");
        request.setHeader("traceparent", trace);
        return request;
    }

    @Test
    void H28_aFollowerSeesNothingOfTheLeadersRequest() throws Exception {
        CloseableHttpClient client = collapsing();
        List<Told> told = together(List.of(() -> tell(client, traced("one")), () -> tell(client, traced("two"))));
        assertThat(origin.requests()).hasSize(1);
        Told leader = told.get(0);
        Told follower = told.get(1);
        assertThat(follower.context().getRequest().getFirstHeader("traceparent").getValue())
                .isEqualTo("two");
        assertThat(follower.context().getHttpRoute()).isEqualTo(leader.context().getHttpRoute());
        assertThat(follower.context().getResponse().getCode()).isEqualTo(200);
        assertThat(follower.context().getSSLSession()).isNull();
        assertThat(follower.context().getEndpointDetails())
                .isNotNull()
                .isSameAs(leader.context().getEndpointDetails());
        assertThat(follower.response().getFirstHeader("X-Own").getValue()).isEqualTo("two");
        assertThat(leader.response().getHeaders("X-Own")).hasSize(1);
        assertThat(follower.response().getVersion()).isEqualTo(leader.response().getVersion());
    }

    @Test
    void H29_linesKeepTheirOrderAndCase() throws Exception {
        origin.answer(request -> OriginReply.ok("/a")
                .with("x-B", "1")
                .with("X-a", "")
                .with("X-b", "2")
                .with("Keep-Alive", "timeout=5")
                .with("eTag", "\"1\""));
        CloseableHttpClient plain = ApacheClients.builder().build();
        List<String> expected = new ArrayList<>(linesOf(tell(plain, traced("0"))));
        expected.remove("Keep-Alive: timeout=5");
        CloseableHttpClient client = collapsing();
        List<Told> both = together(List.of(() -> tell(client, traced("1")), () -> tell(client, traced("2"))));
        for (Told told : both) {
            assertThat(linesOf(told)).isEqualTo(expected);
            assertThat(told.entity().getContentLength()).isEqualTo(2);
            assertThat(told.entity().isRepeatable()).isFalse();
        }
        assertThat(origin.requests()).hasSize(2);
    }

    private static List<String> linesOf(Told told) {
        return told.headers().stream().map(Header::toString).toList();
    }

    @Test
    void everyReceiverGetsTheTrailers() throws Exception {
        origin.answer(request -> OriginReply.ok("4\r\nbody\r\n0\r\nX-Sum: 1\r\nSet-Cookie: leader=1\r\n\r\n")
                .with("Transfer-Encoding", "chunked")
                .framedAsGiven());
        CloseableHttpClient client = collapsing();
        Callable<String> call = () -> client.execute(get("/a"), response -> {
            HttpEntity entity = response.getEntity();
            assertThat(entity.isChunked()).isTrue();
            assertThat(entity.getContentLength()).isNegative();
            return EntityUtils.toString(entity) + entity.getTrailers().get();
        });
        String plain = ApacheClients.builder()
                .build()
                .execute(
                        get("/a"),
                        response -> EntityUtils.toString(response.getEntity())
                                + response.getEntity().getTrailers().get());
        assertThat(plain).isEqualTo("body[X-Sum: 1, Set-Cookie: leader=1]");
        assertThat(together(List.of(call, call)))
                .containsExactly("body[X-Sum: 1, Set-Cookie: leader=1]", "body[X-Sum: 1]");
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void H38_theFirstBytesOfAnEndlessBodyComeAtOnce() throws Exception {
        origin.answer(request -> OriginReply.ok("[{\"id\":1},").stalled());
        CloseableHttpClient client = fresh();
        HttpGet request = get("/a");
        Caller<String> caller = callers.start(() -> {
            ClassicHttpResponse response = client.executeOpen(null, request, null);
            InputStream body = response.getEntity().getContent();
            String first = new String(body.readNBytes(10), StandardCharsets.UTF_8);
            request.cancel(); // closing would read the rest
            return first;
        });
        assertThat(caller.get()).isEqualTo("[{\"id\":1},");
    }

    @Test
    void H38_aCallerThatReadsTheStatusOnlyIsNotFailedByATruncatedBody() throws Exception {
        origin.answer(request -> OriginReply.ok("half").truncated());
        ClassicHttpResponse response = fresh().executeOpen(null, get("/a"), null);
        assertThat(response.getCode()).isEqualTo(200);
        assertThatThrownBy(response::close).isInstanceOf(IOException.class);
    }

    @Test
    void H27_aResponseOverTheLimitIsStreamedAndMayBeClosedHalfRead() throws Exception {
        String body = "0123456789".repeat(200_000);
        origin.answer(request -> OriginReply.ok(body).chunked());
        CloseableHttpClient client = ApacheClients.collapsing(
                        ApacheClients.builder(),
                        new CollapseExecChainHandler(everything().maxBodySize(3).build(), IN_FLIGHT))
                .build();
        assertThat(bodyOf(client)).isEqualTo(body);
        try (ClassicHttpResponse response = client.executeOpen(null, get("/b"), null)) {
            assertThat(response.getEntity().getContent().readNBytes(10))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("0123456789");
        }
        try (ClassicHttpResponse response = client.executeOpen(null, get("/c"), null)) {
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            response.getEntity().writeTo(written);
            assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo(body);
        }
    }

    @Test
    void H27_aBodyOverTheLimitThatBreaksOffFailsItsReader() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789".repeat(100_000)).truncated());
        CloseableHttpClient client = ApacheClients.collapsing(
                        ApacheClients.builder(),
                        new CollapseExecChainHandler(everything().maxBodySize(3).build(), IN_FLIGHT))
                .build();
        assertThatThrownBy(() -> bodyOf(client)).isInstanceOf(IOException.class);
    }
}

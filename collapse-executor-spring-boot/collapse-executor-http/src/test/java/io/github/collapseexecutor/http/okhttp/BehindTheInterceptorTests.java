package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import okhttp3.Cache;
import okhttp3.CacheControl;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OkHttp's own work behind the interceptor: decompression, cache, redirects, cookies, credentials. */
@OnEachJdk
class BehindTheInterceptorTests extends OkHttpFixture {

    @Test
    void transparentDecompressionHappensOnceForAll() throws Exception {
        origin.answer(request -> OriginReply.ok(gzipped("text"))
                .with("Content-Encoding", String.valueOf(request.header("Accept-Encoding")))
                .with("Content-Type", "text/plain; charset=utf-8")
                .with("Vary", "Accept-Encoding"));
        OkHttpClient client = collapsing().build();
        assertThat(bodiesOfTwo(() -> callOf(client))).containsOnly("text");
        assertThat(origin.requests()).hasSize(1);
        assertThat(origin.requests().get(0).header("Accept-Encoding")).isEqualTo("gzip");
    }

    private static byte[] gzipped(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    @Test
    void theClientsOwnCacheIsFilledAndRevalidatedOnceForAll(@TempDir File directory) throws Exception {
        try (Cache cache = new Cache(directory, 1 << 20)) {
            OkHttpClient client = collapsing().cache(cache).build();
            origin.answer(request -> request.header("If-None-Match") == null
                    ? OriginReply.ok("cached").with("ETag", "\"1\"").with("Cache-Control", "no-transform")
                    : OriginReply.status(304, "Not Modified", "").with("ETag", "\"1\""));
            assertThat(bodiesOfTwo(() -> callOf(client))).containsOnly("cached");
            assertThat(bodiesOfTwo(() -> callOf(client))).containsOnly("cached");
            assertThat(origin.requests())
                    .extracting(request -> request.header("If-None-Match"))
                    .containsExactly(null, "\"1\"");
        }
    }

    @Test
    void aRequestForTheCacheOnlyIsNotAnsweredByTheOrigin(@TempDir File directory) throws Exception {
        try (Cache cache = new Cache(directory, 1 << 20)) {
            OkHttpClient client = collapsing().cache(cache).build();
            Request cachedOnly = get("/a")
                    .newBuilder()
                    .cacheControl(okhttp3.CacheControl.FORCE_CACHE)
                    .build();
            try (Response response = client.newCall(cachedOnly).execute()) {
                assertThat(response.code()).isEqualTo(504);
            }
            assertThat(origin.requests()).isEmpty();
        }
    }

    @Test
    void aPermanentRedirectIsFollowedOnceForAll() throws Exception {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(301, "Moved Permanently", "").with("Location", "/b")
                : OriginReply.ok(request.target()));
        OkHttpClient client = collapsing().build();
        Hold hold = origin.hold();
        List<Caller<Response>> gathered = new ArrayList<>();
        gathered.add(callers.start(() -> callOf(client).execute()));
        hold.await(1);
        gathered.add(callers.start(() -> callOf(client).execute()));
        gathered.get(1).awaitJoined();
        origin.holdNoMore();
        hold.release();
        for (Caller<Response> caller : gathered) {
            try (Response response = caller.get()) {
                assertThat(response.body().string()).isEqualTo("/b");
                assertThat(response.request().url().encodedPath()).isEqualTo("/b");
            }
        }
        assertThat(origin.requests()).extracting(OriginRequest::target).containsExactly("/a", "/b");
    }

    @Test
    void H19_aResponseThatCameByATemporaryRedirectIsNotShared() throws Exception {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(302, "Found", "").with("Location", "/b")
                : OriginReply.ok(request.target()));
        OkHttpClient client = collapsing().build();
        assertThat(bodiesOfTwo(() -> callOf(client))).containsOnly("/b");
        assertThat(origin.requests()).extracting(OriginRequest::target).containsExactly("/a", "/b", "/a", "/b");
    }

    @Test
    void H05_cookiesOfAJarArePartOfTheKey() throws Exception {
        ThreadLocal<String> user = ThreadLocal.withInitial(() -> "one");
        OkHttpClient client = collapsing()
                .cookieJar(new CookieJar() {
                    @Override
                    public void saveFromResponse(HttpUrl url, List<Cookie> cookies) {
                        throw new AssertionError("Nothing sets a cookie");
                    }

                    @Override
                    public List<Cookie> loadForRequest(HttpUrl url) {
                        return List.of(new Cookie.Builder()
                                .name("user")
                                .value(user.get())
                                .domain(url.host())
                                .build());
                    }
                })
                .build();
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
        assertThat(bodiesOfTwo(() -> callOf(client))).containsOnly("user=one");
        assertThat(origin.requests()).hasSize(1);
        Hold hold = origin.hold();
        Caller<String> one = callers.start(() -> bodyOf(callOf(client)));
        hold.await(1);
        Caller<String> two = callers.start(() -> {
            user.set("two");
            return bodyOf(callOf(client));
        });
        hold.await(1);
        hold.release();
        assertThat(one.get()).isEqualTo("user=one");
        assertThat(two.get()).isEqualTo("user=two");
    }

    @Test
    void H05_credentialsThatAnAuthenticatorAddsAreNotShared() throws Exception {
        OkHttpClient client = collapsing()
                .authenticator((route, response) -> response.request()
                        .newBuilder()
                        .header("Authorization", "token")
                        .build())
                .build();
        origin.answer(request -> request.header("Authorization") == null
                ? OriginReply.status(401, "Unauthorized", "")
                : OriginReply.ok("secret"));
        assertThat(bodiesOfTwo(() -> callOf(client))).containsOnly("secret");
        assertThat(origin.requests()).hasSize(4);
    }

    @Test
    void H02_anAddressThatNoUriExpressesIsSentAlone() throws Exception {
        OkHttpClient client = collapsing().build();
        Hold hold = origin.hold();
        Caller<String> one = callers.start(() -> bodyOf(client.newCall(get("/a?b%7Cc"))));
        hold.await(1);
        HttpUrl raw = HttpUrl.get(origin.uri("/a").toString() + "?b|c");
        Caller<String> other = callers.start(
                () -> bodyOf(client.newCall(new Request.Builder().url(raw).build())));
        hold.await(1);
        hold.release();
        assertThat(one.get()).isEqualTo("/a?b%7Cc");
        assertThat(other.get()).isEqualTo("/a?b|c");
    }

    @Test
    void aCallForWhatIsCachedOnlyWaitsForNobodysCall() throws Exception {
        OkHttpClient client = collapsing(HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                        .build())
                .build();
        Hold hold = origin.hold();
        Caller<String> one = callers.start(() -> bodyOf(callOf(client)));
        hold.await(1);
        Request cachedOnly =
                get("/a").newBuilder().cacheControl(CacheControl.FORCE_CACHE).build();
        Caller<Integer> other = callers.start(() -> {
            try (Response response = client.newCall(cachedOnly).execute()) {
                return response.code();
            }
        });
        assertThat(other.get()).as("there is no cache to look into").isEqualTo(504);
        hold.release();
        assertThat(one.get()).isEqualTo("/a");
    }
}

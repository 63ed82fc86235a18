package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cookie jar is asked and told the same things as without the interceptor. */
@OnEachJdk
class CookieJarTests extends OkHttpFixture {

    private final RecordingJar plainJar = new RecordingJar();
    private final RecordingJar jar = new RecordingJar();
    private final OkHttpClient plain =
            OkHttpClients.PLAIN.newBuilder().cookieJar(plainJar).build();
    private final OkHttpClient client = collapsing().cookieJar(jar).build();

    /** Keeps every cookie, and writes down each question and each message. */
    private static final class RecordingJar implements CookieJar {

        private final List<String> record = new CopyOnWriteArrayList<>();
        private final List<Cookie> cookies = new CopyOnWriteArrayList<>();

        @Override
        public void saveFromResponse(HttpUrl url, List<Cookie> received) {
            record.add("save " + url.encodedPath() + " " + received);
            cookies.addAll(received);
        }

        @Override
        public List<Cookie> loadForRequest(HttpUrl url) {
            record.add("load " + url.encodedPath());
            return List.copyOf(cookies);
        }
    }

    @BeforeEach
    void answerTheCookies() {
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
    }

    private void sameAsWithout(Request request) throws IOException {
        String body = bodyOf(plain.newCall(request));
        assertThat(bodyOf(client.newCall(request))).isEqualTo(body);
        assertThat(plainJar.record).isNotEmpty();
        assertThat(jar.record).isEqualTo(plainJar.record);
    }

    @Test
    void itIsAskedOnce() throws Exception {
        sameAsWithout(get("/a"));
        sameAsWithout(
                get("/a").newBuilder().post(RequestBody.create("body", null)).build());
    }

    @Test
    void itIsToldTheCookiesOfAResponseAndAskedForThemAgain() throws Exception {
        origin.answer(request ->
                OriginReply.ok(String.valueOf(request.header("Cookie"))).with("Set-Cookie", "session=1"));
        sameAsWithout(get("/a"));
        sameAsWithout(get("/a"));
        assertThat(bodyOf(client.newCall(get("/a")))).contains("session=1");
    }

    @Test
    void itIsAskedForTheAddressOfARedirect() throws Exception {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(301, "Moved Permanently", "")
                        .with("Location", "/b")
                        .with("Set-Cookie", "session=1")
                : OriginReply.ok(String.valueOf(request.header("Cookie"))));
        sameAsWithout(get("/a"));
        assertThat(jar.record).filteredOn("load /b"::equals).hasSize(1);
    }

    @Test
    void itIsAskedAgainForARetryOfTheSameAddress() throws Exception {
        origin.answer(request -> origin.requests().size() % 2 == 1
                ? OriginReply.status(503, "Unavailable", "").with("Retry-After", "0")
                : OriginReply.ok("again"));
        sameAsWithout(get("/a"));
        assertThat(jar.record).filteredOn("load /a"::equals).hasSize(2);
    }

    @Test
    void aFollowerAsksOnceToo() throws Exception {
        assertThat(bodiesOfTwo(() -> callOf(client))).containsOnly("null");
        assertThat(jar.record).containsExactly("load /a", "load /a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void itsFailureReachesTheCallerAsItIs() {
        OkHttpClient failing = collapsing()
                .cookieJar(new CookieJar() {
                    @Override
                    public void saveFromResponse(HttpUrl url, List<Cookie> cookies) {}

                    @Override
                    public List<Cookie> loadForRequest(HttpUrl url) {
                        throw new IllegalStateException("The jar is closed");
                    }
                })
                .build();
        assertThatThrownBy(() -> bodyOf(callOf(failing)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The jar is closed");
    }

    @Test
    void H05_aPermanentRedirectToAnAddressWithOtherCookiesIsNotShared() throws Exception {
        ThreadLocal<String> user = new ThreadLocal<>();
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(301, "Moved Permanently", "").with("Location", "/b")
                : OriginReply.ok(String.valueOf(request.header("Cookie"))));
        OkHttpClient ofUsers = collapsing()
                .cookieJar(new CookieJar() {
                    @Override
                    public void saveFromResponse(HttpUrl url, List<Cookie> cookies) {}

                    @Override
                    public List<Cookie> loadForRequest(HttpUrl url) {
                        return url.encodedPath().equals("/a") || user.get() == null
                                ? List.of()
                                : List.of(new Cookie.Builder()
                                        .name("user")
                                        .value(user.get())
                                        .domain(url.host())
                                        .build());
                    }
                })
                .build();
        Hold hold = origin.hold();
        Caller<String> anonymous = callers.start(() -> bodyOf(callOf(ofUsers)));
        hold.await(1);
        Caller<String> one = callers.start(() -> {
            user.set("one");
            return bodyOf(callOf(ofUsers));
        });
        one.awaitJoined();
        origin.holdNoMore();
        hold.release();
        assertThat(anonymous.get()).isEqualTo("null");
        assertThat(one.get()).isEqualTo("user=one");
    }
}

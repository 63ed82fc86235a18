package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import okhttp3.Cache;
import okhttp3.Call;
import okhttp3.Headers;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import okio.BufferedSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H38: a lone caller gets the response as OkHttp returned it. Several callers get its trailers too. */
@OnEachJdk
class StreamedResponsesTests extends OkHttpFixture {

    private static OkHttpClient.Builder fresh() {
        return OkHttpClients.PLAIN
                .newBuilder()
                .addInterceptor(new CollapseOkHttpInterceptor(everything().build(), CollapseOptions.defaults()));
    }

    @Test
    void H38_theFirstBytesOfAnEndlessBodyComeAtOnce() throws Exception {
        origin.answer(request -> OriginReply.ok("[{\"id\":1},")
                .with("Content-Type", "application/json")
                .stalled());
        OkHttpClient client = fresh().build();
        Caller<String> caller = callers.start(() -> {
            try (Response response = callOf(client).execute()) {
                return response.body().source().readUtf8(10);
            }
        });
        assertThat(caller.get()).isEqualTo("[{\"id\":1},");
    }

    @Test
    void H38_aCallerThatReadsTheStatusOnlyIsNotFailedByATruncatedBody() throws Exception {
        origin.answer(request -> OriginReply.ok("half").truncated());
        OkHttpClient client = fresh().build();
        try (Response response = callOf(client).execute()) {
            assertThat(response.code()).isEqualTo(200);
        }
    }

    @Test
    void H38_theResponseTellsOfNetworkCacheAndBody(@TempDir File directory) throws Exception {
        try (Cache cache = new Cache(directory, 1 << 20)) {
            OkHttpClient client = fresh().cache(cache).build();
            origin.answer(request -> OriginReply.ok("body").with("Cache-Control", "max-age=1000"));
            try (Response response = callOf(client).execute()) {
                assertThat(response.networkResponse()).isNotNull();
                assertThat(response.cacheResponse()).isNull();
                assertThat(response.peekBody(2).string()).isEqualTo("bo");
                assertThat(response.body().string()).isEqualTo("body");
            }
            try (Response response = callOf(client).execute()) {
                assertThat(response.networkResponse()).isNull();
                assertThat(response.cacheResponse()).isNotNull();
                assertThat(response.body().string()).isEqualTo("body");
            }
            assertThat(origin.requests()).hasSize(1);
        }
    }

    private static BufferedSource begunAndClosed(Call call) throws IOException {
        try (Response response = call.execute()) {
            BufferedSource source = response.body().source();
            assertThat(source.readUtf8(1)).isEqualTo("0");
            return source;
        }
    }

    /** Of which the adapter has read a part before it was found too large to be shared. */
    @Test
    void H39_aLargeBodyThatIsClosedIsNotReadAnyFurther() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789").chunked());
        OkHttpClient collapsing = OkHttpClients.PLAIN
                .newBuilder()
                .addInterceptor(new CollapseOkHttpInterceptor(
                        everything().maxBodySize(5).build(), IN_FLIGHT))
                .build();
        for (OkHttpClient client : List.of(OkHttpClients.PLAIN, collapsing)) {
            BufferedSource source = begunAndClosed(callOf(client));
            assertThatThrownBy(() -> source.readUtf8(1)).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Reads half of the body, then asks for the trailers, which skips the other half. */
    private static List<Headers> trailersOf(Response response) throws IOException {
        try (response) {
            assertThat(response.body().source().readUtf8(2)).isEqualTo("bo");
            return List.of(response.headers(), response.trailers());
        }
    }

    @Test
    void everyReceiverGetsTheTrailers() throws Exception {
        origin.answer(
                request -> OriginReply.ok("4\r\nbody\r\n0\r\nX-Sum: 1\r\nSet-Cookie: leader=1\r\n no-colon\r\n\r\n")
                        .with("Transfer-Encoding", "chunked")
                        .framedAsGiven());
        Headers plain = trailersOf(callOf(OkHttpClients.PLAIN).execute()).get(1);
        assertThat(plain.size()).isEqualTo(3);
        assertThat(trailersOf(callOf(fresh().build()).execute()).get(1)).isEqualTo(plain);
        OkHttpClient client = collapsing().build();
        List<Headers> trailers = new ArrayList<>();
        for (Caller<List<Headers>> caller : both(() -> trailersOf(callOf(client).execute()))) {
            assertThat(caller.get().get(0).get("Content-Length"))
                    .as("a length that the origin did not send")
                    .isNull();
            trailers.add(caller.get().get(1));
        }
        assertThat(trailers.get(0)).isEqualTo(plain);
        assertThat(trailers.get(1))
                .isEqualTo(plain.newBuilder().removeAll("Set-Cookie").build());
        assertThat(origin.requests()).hasSize(3);
    }

    @Test
    void everyReceiverMayPeekAtItsOwnBody() throws Exception {
        OkHttpClient client = collapsing().build();
        List<Caller<String>> both = both(() -> {
            try (Response response = callOf(client).execute()) {
                return response.peekBody(1).string() + " " + response.peekTrailers()
                        + response.body().string();
            }
        });
        for (Caller<String> caller : both) {
            assertThat(caller.get()).isEqualTo("/ /a");
        }
        assertThat(origin.requests()).hasSize(1);
    }

    private <T> List<Caller<T>> both(Callable<T> call) throws InterruptedException {
        Hold hold = origin.hold();
        List<Caller<T>> both = gathered(hold, List.of(call, call));
        origin.holdNoMore();
        hold.release();
        return both;
    }
}

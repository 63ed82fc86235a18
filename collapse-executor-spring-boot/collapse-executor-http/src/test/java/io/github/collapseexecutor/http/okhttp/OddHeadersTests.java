package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import okhttp3.Dispatcher;
import okhttp3.Headers;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

/** H39: header lines that OkHttp accepts reach every receiver as they are, in their order and case. */
@OnEachJdk
class OddHeadersTests extends OkHttpFixture {

    /** None of these can be added to a {@link Headers.Builder}, yet all come from origins. */
    private static OriginReply odd() {
        return OriginReply.ok("body")
                .with("x-lower", "1")
                .with("X-Folded", "one\r\n two")
                .with("X-S ", "v")
                .with("X-A", "a\r\nno colon in this line")
                .with("", "of an empty name")
                .with("X-Umläut", "ü")
                .with("X-Twice", "b")
                .with("A-Last", "z")
                .with("x-tWICE", "c")
                .with("ETag", "\"1\"");
    }

    private static Headers headersOf(OkHttpClient client, Request request) throws IOException {
        try (Response response = client.newCall(request).execute()) {
            assertThat(response.body().string()).isEqualTo("body");
            return response.headers();
        }
    }

    private List<Headers> headersOfTwo(OkHttpClient client) throws Exception {
        Hold hold = origin.hold();
        Callable<Headers> call = () -> headersOf(client, get("/a"));
        List<Caller<Headers>> gathered = gathered(hold, List.of(call, call));
        origin.holdNoMore();
        hold.release();
        return List.of(gathered.get(0).get(), gathered.get(1).get());
    }

    @Test
    void H39_everyReceiverGetsTheLinesOfTheOrigin() throws Exception {
        origin.answer(request -> odd());
        Headers plain = headersOf(OkHttpClients.PLAIN, get("/a"));
        assertThat(plain.size()).as("one line is folded, and one has no colon").isEqualTo(13);
        assertThat(plain.names()).contains("");
        OkHttpClient client = collapsing().build();
        int before = origin.requests().size();
        assertThat(headersOfTwo(client)).containsOnly(plain);
        assertThat(origin.requests()).hasSize(before + 1);
        assertThat(headersOf(client, get("/a"))).as("alone, joinable").isEqualTo(plain);
        OkHttpClient fresh = OkHttpClients.PLAIN
                .newBuilder()
                .addInterceptor(new CollapseOkHttpInterceptor(everything().build(), CollapseOptions.defaults()))
                .build();
        assertThat(headersOf(fresh, get("/a"))).as("alone").isEqualTo(plain);
    }

    @Test
    void H29_linesThatTheRulesDropAndAppendLeaveTheOthersInPlace() throws Exception {
        origin.answer(request -> odd().with("Connection", "X-Hop")
                .with("X-Hop", "1")
                .with("Cache-Status", "origin; hit")
                .with("X-Behind", "2"));
        Headers expected = headersOf(OkHttpClients.PLAIN, get("/a"))
                .newBuilder()
                .removeAll("Connection")
                .removeAll("X-Hop")
                .build();
        HttpCollapseOptions options = everything().cacheStatus("collapse").build();
        List<Headers> headers = headersOfTwo(collapsing(options).build());
        assertThat(headers.get(0)).isEqualTo(expected);
        assertThat(headers.get(1))
                .isEqualTo(expected.newBuilder()
                        .add("Cache-Status", "collapse; fwd=uri-miss; collapsed")
                        .build());
    }

    @Test
    void H39_nonAsciiRequestHeadersCollapse() throws Exception {
        origin.answer(request -> OriginReply.ok("body"));
        OkHttpClient client = collapsing().build();
        Headers umlaut =
                new Headers.Builder().addUnsafeNonAscii("X-Name", "Jürgen").build();
        Request request = get("/a").newBuilder().headers(umlaut).build();
        assertThat(headersOf(client, request).get("Content-Length")).isEqualTo("4");
    }

    @Test
    void aMalformedLengthIsNotRepairedForOthers() throws Exception {
        origin.answer(request -> OriginReply.ok("body").with("Content-Length", "4"));
        Headers plain = headersOf(OkHttpClients.PLAIN, get("/a"));
        assertThat(plain.values("Content-Length")).containsExactly("4", "4");
        OkHttpClient client = collapsing().build();
        assertThat(headersOfTwo(client)).containsOnly(plain);
        assertThat(origin.requests()).as("each made its own call").hasSize(3);
    }

    @Test
    void H39_anEnqueuedCallDoesNotReachTheUncaughtExceptionHandler() throws Exception {
        origin.answer(request -> odd());
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "dispatcher");
            thread.setUncaughtExceptionHandler((dead, failure) -> uncaught.add(failure));
            return thread;
        });
        try {
            OkHttpClient client =
                    collapsing().dispatcher(new Dispatcher(threads)).build();
            Hold hold = origin.hold();
            List<CompletableFuture<String>> bodies = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                bodies.add(enqueue(callOf(client)));
            }
            hold.await(1);
            origin.holdNoMore();
            hold.release();
            for (CompletableFuture<String> body : bodies) {
                assertThat(body.get(30, TimeUnit.SECONDS)).isEqualTo("body");
            }
        } finally {
            threads.shutdown();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(uncaught).isEmpty();
    }
}

package io.github.collapseexecutor.foreign.client;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.Fault;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** WireMock, with an answer for each path, which says for whom it is. */
final class Origin implements AutoCloseable {

    private static final int TAKES_MILLIS = 15;
    private static final String FOR_USER = "for {{request.headers.Authorization}} ";

    // immutable
    private final WireMockServer server = new WireMockServer(WireMockConfiguration.options()
            .dynamicPort()
            .containerThreads(80)
            .asynchronousResponseEnabled(false)
            .disableRequestJournal()
            .globalTemplating(true));
    private final Map<String, ResponseDefinitionBuilder> answers = new LinkedHashMap<>();

    // mutable, thread-safe
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger traced = new AtomicInteger();

    Origin() {
        answers.put("plain", text(200, 10));
        answers.put("middle", text(200, 9_000));
        answers.put("large", text(200, 60_000));
        answers.put("empty", aResponse().withStatus(204));
        answers.put("missing", text(404, 100));
        answers.put("broken", text(500, 2_000));
        answers.put("busy", text(503, 20).withHeader("Retry-After", "1"));
        answers.put("denied", text(401, 20).withHeader("WWW-Authenticate", "Bearer"));
        answers.put("private", text(200, 3_000).withHeader("Cache-Control", "private"));
        answers.put("unstored", text(200, 3_000).withHeader("Cache-Control", "no-store"));
        answers.put("cookie", text(200, 3_000).withHeader("Set-Cookie", "a=b"));
        answers.put(
                "kept",
                text(200, 3_000)
                        .withHeader("Cache-Control", "max-age=60")
                        .withHeader("ETag", "\"1\"")
                        .withHeader("Vary", "Authorization"));
        answers.put("dribbled", text(200, 4_000).withChunkedDribbleDelay(4, 20));
        answers.put("reset", aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER));
        answers.put("nothing", aResponse().withFault(Fault.EMPTY_RESPONSE));
        answers.put("cut", aResponse().withFault(Fault.MALFORMED_RESPONSE_CHUNK));
        answers.forEach((path, answer) ->
                server.stubFor(any(urlPathMatching("/[^/]*/" + path)).willReturn(answer.withFixedDelay(TAKES_MILLIS))));
        server.addMockServiceRequestListener((request, response) -> {
            asked.incrementAndGet();
            if (request.containsHeader("traceparent") || request.containsHeader("X-B3-TraceId")) {
                traced.incrementAndGet();
            }
        });
        server.start();
    }

    private static ResponseDefinitionBuilder text(int status, int size) {
        return aResponse()
                .withStatus(status)
                .withHeader("Content-Type", "text/plain;charset=UTF-8")
                .withHeader("X-For", FOR_USER)
                .withHeader("X-Trace", "{{request.headers.traceparent}} {{request.headers.X-B3-TraceId}}")
                .withBody(FOR_USER + "x".repeat(size));
    }

    /** Whether the body of an answer breaks off: a body that others may share is read before its head is shown. */
    static boolean breaksOff(String path) {
        return path.equals("cut");
    }

    List<String> paths() {
        return List.copyOf(answers.keySet());
    }

    /** How many requests have been answered since the last time. */
    int takeAsked() {
        return asked.getAndSet(0);
    }

    /** How many of them belonged to a trace. */
    int takeTraced() {
        return traced.getAndSet(0);
    }

    URI uri(String setup, Question question) {
        return URI.create("http://127.0.0.1:" + server.port() + "/" + setup + "/" + question.path());
    }

    @Override
    public void close() {
        server.stop();
    }
}

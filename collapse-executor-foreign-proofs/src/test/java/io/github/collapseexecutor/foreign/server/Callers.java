package io.github.collapseexecutor.foreign.server;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Callers of all kinds: with a user or without, in languages and formats, for parts, and with what they have already. */
final class Callers {

    static {
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    private static final HttpClient BY_HTTP1 = client(HttpClient.Version.HTTP_1_1);
    private static final HttpClient BY_HTTP2 = client(HttpClient.Version.HTTP_2);

    private static final List<Map<String, String>> KINDS = List.of(
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of("Accept", "application/json"),
            Map.of("Accept", "text/html"),
            Map.of("Accept", "application/xml"),
            Map.of("Accept", "text/event-stream"),
            Map.of("Accept-Language", "de"),
            Map.of("Accept-Encoding", "gzip"),
            Map.of("Range", "bytes=2-7"),
            Map.of("If-None-Match", "\"none\""),
            Map.of("If-None-Match", "*"),
            Map.of("Origin", "http://elsewhere.example"),
            Map.of("X-Forwarded-Host", "public.example", "X-Forwarded-Proto", "https"),
            Map.of("X-Forwarded-Prefix", "/below"),
            Map.of("Authorization", "Basic YWxpY2U6YWxpY2U="),
            Map.of("Authorization", "Basic Ym9iOmJvYg=="),
            Map.of("Authorization", "Basic Ym9iOmFsaWNl"),
            Map.of("Cookie", "theme=dark"),
            Map.of("User-Agent", "another browser"),
            Map.of("Referer", "http://elsewhere.example/page"),
            Map.of("X-Forwarded-For", "192.0.2.1"),
            Map.of("X-Request-Id", "one"));

    private Callers() {}

    private static HttpClient client(HttpClient.Version version) {
        return HttpClient.newBuilder()
                .version(version)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /** Calls that come at once: some are equal, and some of them differ in one thing. */
    static List<Call> burst(Random random, List<Guest> guests) {
        List<Call> burst = new ArrayList<>();
        for (int some = 1 + random.nextInt(3); some > 0; some--) {
            Guest guest = guests.get(random.nextInt(guests.size()));
            String[] drawn =
                    guest.targets().get(random.nextInt(guest.targets().size())).split(" ", 2);
            String target = drawn[0];
            String body = drawn.length == 1 ? "" : drawn[1];
            for (int kinds = 1 + random.nextInt(3); kinds > 0; kinds--) {
                Map<String, String> headers = new HashMap<>(KINDS.get(random.nextInt(KINDS.size())));
                if (random.nextInt(4) == 0) {
                    headers.putAll(KINDS.get(random.nextInt(KINDS.size())));
                }
                String method = random.nextInt(12) == 0 ? "HEAD" : "GET";
                Call call = body.isEmpty()
                        ? new Call(guest.name(), method, target, headers, "")
                        : new Call(guest.name(), "POST", target, withType(headers, body), body);
                for (int equal = 1 + random.nextInt(5); equal > 0; equal--) {
                    burst.add(call);
                }
            }
        }
        return burst;
    }

    private static Map<String, String> withType(Map<String, String> headers, String body) {
        headers.put("Content-Type", body.startsWith("<") ? "text/xml" : "application/json");
        return headers;
    }

    /** Sends calls at once, and waits for all replies. */
    static List<Reply> send(Application application, List<Call> calls) throws InterruptedException {
        List<CompletableFuture<HttpResponse<byte[]>>> sent = new ArrayList<>();
        for (Call call : calls) {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create("http://localhost:" + application.port() + call.target()))
                    .method(call.method(), bodyOf(call))
                    .timeout(Duration.ofSeconds(60));
            if (!application.http2()) { // which has it in a place of its own
                request.setHeader("Host", "server.example");
            }
            call.headers().forEach(request::setHeader);
            sent.add((application.http2() ? BY_HTTP2 : BY_HTTP1)
                    .sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray()));
        }
        List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            replies.add(reply(calls.get(i), sent.get(i)));
        }
        return replies;
    }

    private static HttpRequest.BodyPublisher bodyOf(Call call) {
        return call.body().isEmpty()
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(call.body());
    }

    private static Reply reply(Call call, CompletableFuture<HttpResponse<byte[]>> sent) throws InterruptedException {
        try {
            return Reply.of(sent.get(90, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return new Reply(-1, Map.of(), call + " failed: " + e);
        }
    }
}

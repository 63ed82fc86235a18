package io.github.collapseexecutor.http.servlet.zoo;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** What clients of the zoo send and get. */
public final class ZooClient {

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    private ZooClient() {}

    /** A request. The number that each gets is not part of what must be equal. */
    public record Call(String method, String path, Map<String, String> headers, String body) {

        /** The number of a request, for filters that record what they have seen of it. */
        public static final String NUMBER = "X-Request-Id";

        public static Call get(String path) {
            return new Call("GET", path, Map.of(), "");
        }

        public static Call form(String method, String path, String form) {
            return new Call(method, path, Map.of("Content-Type", "application/x-www-form-urlencoded"), form);
        }

        public Call with(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Call(method, path, more, body);
        }

        /** The same request several times. */
        public List<Call> times(int count) {
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                calls.add(this);
            }
            return calls;
        }
    }

    /** A response without the headers that name the moment or the connection; header names are in lower case. */
    public record Reply(int status, Map<String, List<String>> headers, String latin1) {

        private static final List<String> OF_THE_CONNECTION = List.of("date", "connection", "keep-alive");

        static Reply of(HttpResponse<byte[]> response) {
            Map<String, List<String>> headers = new TreeMap<>();
            response.headers().map().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
            OF_THE_CONNECTION.forEach(headers::remove);
            headers.computeIfPresent(
                    "content-type",
                    (name, values) -> values.stream().map(Reply::normalized).toList());
            return new Reply(response.statusCode(), headers, new String(response.body(), StandardCharsets.ISO_8859_1));
        }

        /** Servers write it differently. */
        private static String normalized(String contentType) {
            return contentType.replace(" ", "").toLowerCase(Locale.ROOT);
        }

        /** What tells replies apart, in short, for a message. */
        String brief() {
            String text = body().replaceAll("\"timestamp\":[^,]*,", "");
            return status + " " + headers + " " + text.substring(0, Math.min(text.length(), 100)) + " ("
                    + bytes().length + " bytes)";
        }

        public byte[] bytes() {
            return latin1.getBytes(StandardCharsets.ISO_8859_1);
        }

        public String body() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        public List<String> header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
        }

        public Reply without(String name) {
            Map<String, List<String>> less = new TreeMap<>(headers);
            less.remove(name.toLowerCase(Locale.ROOT));
            return new Reply(status, less, latin1);
        }
    }

    static CompletableFuture<Reply> send(int port, int number, Call call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + call.path()))
                .method(
                        call.method(),
                        call.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(call.body()))
                .header(Call.NUMBER, Integer.toString(number));
        call.headers().forEach(request::header);
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
                .thenApply(Reply::of);
    }
}

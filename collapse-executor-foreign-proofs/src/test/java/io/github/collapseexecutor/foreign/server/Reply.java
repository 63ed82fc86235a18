package io.github.collapseexecutor.foreign.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** What a caller got, without what is another each time. */
record Reply(int status, Map<String, List<String>> headers, String body) {

    /** Jetty encodes a response of an asynchronous handler in chunks if it has not ended when its first bytes are sent: a matter of time. */
    private static final Set<String> NOT_COMPARED =
            Set.of("date", "cache-status", "keep-alive", "connection", "transfer-encoding");

    private static final String SERVER = "server.example";

    static Reply of(HttpResponse<byte[]> response) {
        String address = "localhost:" + response.request().uri().getPort();
        Map<String, List<String>> headers = new TreeMap<>();
        response.headers().map().forEach((name, values) -> {
            if (!NOT_COMPARED.contains(name)) {
                List<String> steady = new ArrayList<>();
                values.forEach(value -> steady.add(steady(name, value.replace(address, SERVER))));
                headers.put(name, steady);
            }
        });
        boolean zipped = headers.getOrDefault("content-encoding", List.of()).contains("gzip");
        String body = new String(zipped ? unzipped(response.body()) : response.body(), StandardCharsets.ISO_8859_1);
        String steady = steadyBody(body.replace(address, SERVER));
        if (!steady.equals(body)
                || (body.isEmpty() && response.statusCode() >= 400)) { // which has a length for a HEAD as well
            headers.remove("etag");
            headers.remove("content-length");
        }
        if (body.isEmpty()
                && response.version() == HttpClient.Version.HTTP_2) { // may be those of a body with the address
            headers.remove("etag");
            headers.remove("content-length");
        }
        boolean ofDocs = response.request().uri().getPath().startsWith("/v3/api-docs");
        if (ofDocs && body.isEmpty()) {
            headers.remove("content-length");
        }
        return new Reply(response.statusCode(), headers, steady);
    }

    /** Ids of sessions, tokens and what allows a script are new each time, and a filter of Tomcat counts seconds until a time. */
    private static String steady(String name, String value) {
        return switch (name) {
            case "set-cookie" -> value.replaceFirst("=[^;]*", "=…").replaceFirst("Expires=[^;]*", "Expires=…");
            case "cache-control" -> value.replaceFirst("max-age=599$", "max-age=600");
            case "content-security-policy-report-only" -> value.replaceAll("nonce-[^']*", "nonce-…");
            case "expires" -> value.endsWith("GMT") ? "a time" : value;
            default -> value;
        };
    }

    /** So are the free space of a disk, ids of requests in pages about errors, their times, and tokens in forms. Springdoc mixes the addresses of callers that ask at once. */
    private static String steadyBody(String body) {
        return body.replaceAll("\"requestId\":\"[^\"]*\"|<requestId>[^<]*", "an id")
                .replaceAll("<div>\\[[^]]*\\]", "an id")
                .replaceAll("\"free\":[0-9]+", "a size")
                .replaceAll("\"timestamp\":\"[^\"]*\"|<timestamp>[^<]*", "a time")
                .replaceAll("<div id='created'>[^<]*", "a time")
                .replaceAll("\"servers\":\\[[^]]*\\]", "servers")
                .replaceAll("name=\"_csrf\" value=\"[^\"]*\"", "a token");
    }

    private static byte[] unzipped(byte[] body) {
        try {
            return body.length == 0 ? body : new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
        } catch (IOException e) {
            return ("not gzip: " + e + body.length).getBytes(StandardCharsets.UTF_8);
        }
    }

    /** What differs from another, in words. */
    String differenceTo(Reply other) {
        StringBuilder text = new StringBuilder();
        if (status != other.status) {
            text.append("\n    status ").append(other.status).append(" / ").append(status);
        }
        Map<String, List<String>> all = new TreeMap<>(headers);
        all.putAll(other.headers);
        for (String name : all.keySet()) {
            List<String> here = headers.get(name);
            List<String> there = other.headers.get(name);
            if (here == null || !here.equals(there)) {
                text.append("\n    ")
                        .append(name)
                        .append(' ')
                        .append(there)
                        .append(" / ")
                        .append(here);
            }
        }
        if (!body.equals(other.body)) {
            int same = 0;
            while (same < Math.min(body.length(), other.body.length())
                    && body.charAt(same) == other.body.charAt(same)) {
                same++;
            }
            int from = Math.max(0, same - 20);
            text.append("\n    body from ")
                    .append(same)
                    .append(": ")
                    .append(brief(other.body, from))
                    .append("\n       / ")
                    .append(brief(body, from));
        }
        return text.toString();
    }

    private static String brief(String body, int from) {
        return body.substring(from, Math.min(body.length(), from + 100)) + " (of " + body.length() + ")";
    }
}

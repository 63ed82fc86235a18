package io.github.collapseexecutor.http.servlet.mvc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One or more requests that a client sends over one connection, each after the response to the one before. A header value
 * {@code {cookie}} stands for the cookie that the response before has set.
 *
 * @param steps the requests
 * @param makes the servers that the case runs on
 * @param ofUser whether the case shows who asks; it then runs a second time below {@code /shared}, where users share
 */
record MvcCase(List<Step> steps, Set<Make> makes, boolean ofUser) {

    static final String COOKIE = "{cookie}";

    /**
     * One request.
     *
     * @param method the method
     * @param target the path and the query, as they are on the wire
     * @param version the version of HTTP
     * @param headers the headers, in order
     * @param body the body, empty for none
     */
    record Step(String method, String target, String version, List<Map.Entry<String, String>> headers, String body) {

        byte[] bytes(List<Map.Entry<String, String>> more) {
            StringBuilder head = new StringBuilder();
            head.append(method).append(' ').append(target).append(' ').append(version);
            head.append("\r\nHost: localhost\r\n");
            Stream.concat(headers.stream(), more.stream())
                    .forEach(header -> head.append(header.getKey())
                            .append(": ")
                            .append(header.getValue())
                            .append("\r\n"));
            if (!body.isEmpty() || List.of("POST", "PUT", "PATCH").contains(method)) {
                head.append("Content-Length: ")
                        .append(body.getBytes(StandardCharsets.ISO_8859_1).length)
                        .append("\r\n");
            }
            return head.append("\r\n").append(body).toString().getBytes(StandardCharsets.ISO_8859_1);
        }

        boolean isHead() {
            return method.equals("HEAD");
        }

        Step withCookie(String cookie) {
            List<Map.Entry<String, String>> filled = headers.stream()
                    .map(header -> Map.entry(header.getKey(), header.getValue().replace(COOKIE, cookie)))
                    .toList();
            return new Step(method, target, version, filled, body);
        }

        @Override
        public String toString() {
            String shown = method + " " + target + (version.equals("HTTP/1.1") ? "" : " " + version);
            return headers.stream()
                    .map(header -> " " + header.getKey() + ": " + header.getValue())
                    .collect(Collectors.joining(",", shown, ""));
        }
    }

    static MvcCase of(String method, String target) {
        return new MvcCase(
                List.of(new Step(method, target, "HTTP/1.1", List.of(), "")), EnumSet.allOf(Make.class), false);
    }

    static MvcCase get(String target) {
        return of("GET", target);
    }

    static MvcCase head(String target) {
        return of("HEAD", target);
    }

    /** Cases that differ in their target alone. */
    static Stream<MvcCase> gets(String folder, String... targets) {
        return Stream.of(targets).map(target -> get(folder + target));
    }

    /** Adds a header to the last request. */
    MvcCase with(String name, String value) {
        Step last = last();
        List<Map.Entry<String, String>> more = new ArrayList<>(last.headers());
        more.add(Map.entry(name, value));
        return replaceLast(new Step(last.method(), last.target(), last.version(), more, last.body()));
    }

    MvcCase body(String body) {
        Step last = last();
        return replaceLast(new Step(last.method(), last.target(), last.version(), last.headers(), body));
    }

    MvcCase version(String version) {
        Step last = last();
        return replaceLast(new Step(last.method(), last.target(), version, last.headers(), last.body()));
    }

    /** Adds a request that is sent after the response to the last one. */
    MvcCase then(String method, String target) {
        List<Step> more = new ArrayList<>(steps);
        more.add(new Step(method, target, "HTTP/1.1", List.of(), ""));
        return new MvcCase(more, makes, ofUser);
    }

    MvcCase on(Make first, Make... others) {
        return new MvcCase(steps, EnumSet.of(first, others), ofUser);
    }

    MvcCase notOn(Make make) {
        Set<Make> left = EnumSet.copyOf(makes);
        left.remove(make);
        return new MvcCase(steps, left, ofUser);
    }

    MvcCase fromUser() {
        return new MvcCase(steps, makes, true);
    }

    /**
     * This case and, if it shows who asks, the same one where users share; there its number keeps it apart from others that
     * differ in their users alone.
     */
    Stream<MvcCase> variants(int number) {
        if (!ofUser) {
            return Stream.of(this);
        }
        List<Step> shared = steps.stream()
                .map(step -> new Step(
                        step.method(),
                        "/shared" + step.target() + "?case=" + number,
                        step.version(),
                        step.headers(),
                        step.body()))
                .toList();
        return Stream.of(this, new MvcCase(shared, makes, true));
    }

    private Step last() {
        return steps.get(steps.size() - 1);
    }

    private MvcCase replaceLast(Step step) {
        List<Step> replaced = new ArrayList<>(steps);
        replaced.set(replaced.size() - 1, step);
        return new MvcCase(replaced, makes, ofUser);
    }

    @Override
    public String toString() {
        return steps.stream().map(Step::toString).collect(Collectors.joining(", then "));
    }
}

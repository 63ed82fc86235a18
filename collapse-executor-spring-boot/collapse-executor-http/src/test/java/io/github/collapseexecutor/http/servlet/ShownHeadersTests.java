package io.github.collapseexecutor.http.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * H14: a handler writes a header of its request, which is not part of the key, into the page, and does not say so. An attacker who sends many
 * requests with such a header, to be the leader, would have a text of his own in the pages of others.
 */
class ShownHeadersTests extends HeldHandlerFixture {

    private static final List<String> VALUES = List.of("an <attacker>", "one", "two", "one", "two");

    /** The first is the leader; nobody answers before all are there. */
    private List<String> bodies(String header) throws Exception {
        List<RawClient> all = new ArrayList<>();
        for (String value : VALUES) {
            all.add(send(get().with(header, value)));
            if (all.size() == 1) {
                awaitHandler();
            }
        }
        waiting.await(VALUES.size() - 1);
        return responses(all).stream().map(Response::body).toList();
    }

    private static String shown(HttpServletRequest request, String header, String way) {
        String value = request.getHeader(header);
        return switch (way) {
            case "plain" -> "<p>" + value + "</p>";
            case "every" -> "<p>" + String.join(",", Collections.list(request.getHeaders(header))) + "</p>";
            case "html" -> "<p>" + value.replace("<", "&lt;").replace(">", "&gt;") + "</p>";
            case "url" -> "/back?to=" + URLEncoder.encode(value, UTF_8);
            case "late" -> "a".repeat(20_000) + value;
            case "all" ->
                Collections.list(request.getHeaderNames()).stream()
                        .filter(header::equalsIgnoreCase)
                        .map(request::getHeader)
                        .collect(Collectors.joining(", ", "[", "]"));
            default -> throw new IllegalArgumentException(way);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "TOMCAT, User-Agent, plain",
        "TOMCAT, referer, every",
        "TOMCAT, X-Forwarded-For, html",
        "TOMCAT, Sec-Fetch-Site, all",
        "TOMCAT, Referer, late",
        "JETTY, X-Forwarded-For, plain",
        "JETTY, Referer, url",
        "JETTY, Referer, late",
        "UNDERTOW, Referer, plain",
        "UNDERTOW, Referer, late",
    })
    void H14_aHeaderThatTheHandlerShowsReachesNobodyElse(ServletServer.Make make, String header, String way)
            throws Exception {
        start(make);
        script = (request, response) -> response.getWriter().write(shown(request, header, way));
        List<String> bodies = bodies(header);
        for (int i = 1; i < VALUES.size(); i++) {
            assertThat(bodies.get(i)).contains(VALUES.get(i)).doesNotContain("attacker");
        }
        assertThat(bodies.get(0)).contains("attacker");
        if (!way.equals("late")) {
            assertThat(runs).as("those that agree share").hasValue(3);
        }
    }

    @Test
    void H14_aHeaderOfTheResponseShowsAsABodyDoes() throws Exception {
        start(ServletServer.Make.TOMCAT);
        script = (request, response) -> {
            response.setHeader("X-Back", "to " + request.getHeader("Referer"));
            response.getWriter().write("page");
        };
        assertThat(bodies("Referer")).containsOnly("page");
        assertThat(runs).hasValue(3);
    }

    @Test
    void H14_aBodyThatCannotBeReadIsTakenToShowWhatWasLookedAt() throws Exception {
        start(ServletServer.Make.TOMCAT);
        script = (request, response) -> {
            response.setHeader("Content-Encoding", "br");
            response.getOutputStream().write(zipped("for " + request.getHeader("Referer")));
        };
        bodies("Referer");
        assertThat(runs).hasValue(3);
    }

    /** As a gateway does that copies all headers and passes on what a service has zipped. */
    @ParameterizedTest
    @CsvSource({"true, 3", "false, 1"})
    void H14_aZippedBodyIsRead(boolean shows, int expected) throws Exception {
        start(ServletServer.Make.TOMCAT);
        script = (request, response) -> {
            String copied = shown(request, "Referer", "all");
            response.setHeader("Content-Encoding", "gzip");
            response.getOutputStream().write(zipped("x".repeat(100_000) + (shows ? copied : "page")));
        };
        bodies("Referer");
        assertThat(runs).hasValue(expected);
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    void H14_aHeaderThatAHandlerOnlyLooksAtDoesNotCount() throws Exception {
        start(ServletServer.Make.TOMCAT);
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        script = (request, response) -> {
            log.add(request.getHeader("User-Agent"));
            response.getWriter().write("page");
        };
        assertThat(bodies("User-Agent")).containsOnly("page");
        assertThat(log).containsExactly(VALUES.get(0));
    }

    @Test
    void H14_aPolicyThatListsHeadersIgnoresTheOthersAlsoIfTheyAreShown() throws Exception {
        start(ServletServer.Make.TOMCAT, CollapsePolicy.pathOnly(), IN_FLIGHT);
        script = (request, response) -> response.getWriter().write("for " + request.getHeader("User-Agent"));
        assertThat(bodies("User-Agent")).containsOnly("for " + VALUES.get(0));
    }
}

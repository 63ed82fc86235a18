package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * H14: a handler writes a header of its request, which is not part of the key, into the page, and does not say so. Whoever sends many requests
 * with such a header, to be the leader, would have a text of his own in the pages of others.
 */
class LookedAtHeadersTests extends HeldHandlerFixture {

    private static final List<String> VALUES = List.of("attacker", "one", "two", "one", "two");

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
        return switch (way) {
            case "all" -> String.join(",", Collections.list(request.getHeaders(header)));
            case "list" ->
                Collections.list(request.getHeaderNames()).stream()
                        .filter(header::equalsIgnoreCase)
                        .map(request::getHeader)
                        .findFirst()
                        .orElse("");
            default -> request.getHeader(header);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "TOMCAT, User-Agent, first",
        "TOMCAT, referer, all",
        "TOMCAT, X-Forwarded-For, first",
        "TOMCAT, Sec-Fetch-Site, list",
        "JETTY, X-Forwarded-For, all",
        "UNDERTOW, Referer, first",
    })
    void H14_aHeaderThatTheHandlerWritesReachesNobodyElse(ServletServer.Make make, String header, String way)
            throws Exception {
        start(make);
        script = (request, response) -> response.getWriter().write("for " + shown(request, header, way));
        assertThat(bodies(header))
                .isEqualTo(VALUES.stream().map(value -> "for " + value).toList());
        assertThat(runs).as("those that agree share").hasValue(3);
    }

    @Test
    void H14_aHeaderThatNoHandlerLooksAtDoesNotCount() throws Exception {
        start(ServletServer.Make.TOMCAT);
        script = (request, response) -> {
            Map<String, String> copied = new TreeMap<>(); // as Spring does for every request
            for (Enumeration<String> names = request.getHeaderNames(); names.hasMoreElements(); ) {
                String name = names.nextElement();
                copied.put(name, request.getHeader(name));
            }
            response.getWriter().write((copied.isEmpty() ? "none " : "for ") + request.getHeader("X-Request-Id"));
        };
        assertThat(bodies("User-Agent")).containsOnly("for null");
        assertThat(runs).hasValue(1);
    }

    @Test
    void H14_aHeaderThatAHandlerLooksAtWhenOthersWereChosenKeepsTheRestForItsClient() throws Exception {
        start(ServletServer.Make.TOMCAT);
        script = (request, response) -> {
            response.getWriter().write("a".repeat(20_000));
            response.getWriter().write("for " + request.getHeader("User-Agent"));
        };
        assertThat(bodies("User-Agent").stream()
                        .map(body -> body.replace("a".repeat(20_000), ""))
                        .toList())
                .isEqualTo(VALUES.stream().map(value -> "for " + value).toList());
    }

    @Test
    void H14_whatThePolicyOrTheOptionsIgnoreIsNotNoted() throws Exception {
        start(
                ServletServer.Make.TOMCAT,
                HttpCollapseOptions.builder()
                        .ignoredRequestHeaders(Set.of("Sec-*"))
                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**"))),
                IN_FLIGHT);
        script = (request, response) -> response.getWriter().write("for " + request.getHeader("Sec-Fetch-Site"));
        assertThat(bodies("Sec-Fetch-Site")).containsOnly("for attacker");
    }

    @Test
    void H14_aPolicyThatListsHeadersIgnoresTheOthersWhoeverLooks() throws Exception {
        start(ServletServer.Make.TOMCAT, CollapsePolicy.pathOnly(), IN_FLIGHT);
        script = (request, response) -> response.getWriter().write("for " + request.getHeader("User-Agent"));
        assertThat(bodies("User-Agent")).containsOnly("for attacker");
    }
}

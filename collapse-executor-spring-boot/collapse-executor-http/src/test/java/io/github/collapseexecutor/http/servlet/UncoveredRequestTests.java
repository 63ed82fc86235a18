package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URI;
import java.util.Enumeration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request whose path is in no group costs no copy of its headers, and an address only where a listener is told of it. */
class UncoveredRequestTests {

    // mutable, thread-safe
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    /** Notes what the filter behind it asks for that costs something. */
    private final class Watched extends HttpServletRequestWrapper {

        Watched(HttpServletRequest request) {
            super(request);
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            asked.add("headers");
            return super.getHeaderNames();
        }

        @Override
        public StringBuffer getRequestURL() {
            asked.add("address");
            return super.getRequestURL();
        }

        @Override
        public @Nullable HttpSession getSession(boolean create) {
            asked.add("session");
            return super.getSession(create);
        }
    }

    private void call(ServletServer.Make make, HttpCollapseOptions.Builder http, String target) throws IOException {
        call(make, http, Request.get(URI.create("http://localhost" + target)));
    }

    private void call(ServletServer.Make make, HttpCollapseOptions.Builder http, Request request) throws IOException {
        Filter watching =
                (arrived, response, chain) -> chain.doFilter(new Watched((HttpServletRequest) arrived), response);
        CollapseServletFilter collapsing = new CollapseServletFilter(
                http.rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/user/*", "//other.example/book/*")))
                        .build());
        ScriptedServlet handler =
                new ScriptedServlet((arrived, response) -> response.getWriter().write("body"));
        try (ServletServer server = make.start(1, List.of(watching, collapsing), handler);
                RawClient client = RawClient.send(server.port(), request)) {
            assertThat(client.response(request.method()).body()).isEqualTo("body");
        }
    }

    private HttpCollapseOptions.Builder listening() {
        return HttpCollapseOptions.builder().listener(new HttpCollapseListener() {
            @Override
            public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
                told.add(reason + " " + method + " " + uri.getRawPath() + "?" + uri.getRawQuery());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsCopied(ServletServer.Make make) throws IOException {
        call(make, HttpCollapseOptions.builder(), "/page/1?a=1");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aListenerIsToldOfItsAddress(ServletServer.Make make) throws IOException {
        call(make, listening(), "/page/1?a=1");
        assertThat(asked).containsExactly("address");
        assertThat(told).containsExactly("NOT_CONFIGURED GET /page/1?a=1");
    }

    @ParameterizedTest
    @EnumSource
    void aPathThatCanBeReadInTwoWaysIsToldOfAsSuch(ServletServer.Make make) throws IOException {
        call(make, listening(), "/user/%2561");
        assertThat(asked).containsExactly("address");
        assertThat(told).containsExactly("PATH GET /user/%2561?null");
    }

    @ParameterizedTest
    @EnumSource
    void aRequestOfAnotherHostIsLookedAt(ServletServer.Make make) throws IOException {
        call(make, listening(), "/book/1");
        assertThat(asked).contains("address", "headers");
        assertThat(told).containsExactly("NOT_CONFIGURED GET /book/1?null");
    }

    @ParameterizedTest
    @EnumSource
    void aRequestOfAGroupIsCopied(ServletServer.Make make) throws IOException {
        call(make, HttpCollapseOptions.builder(), "/user/1");
        assertThat(asked).contains("address", "headers", "session");
    }

    /** To ask for a session renews it on most servers, and costs a call of the store that holds it. */
    @ParameterizedTest
    @EnumSource
    void ofAWriteNothingButTheAddressIsAskedFor(ServletServer.Make make) throws IOException {
        call(make, listening(), Request.of("POST", URI.create("http://localhost/page/1?a=1")));
        call(make, listening(), Request.of("POST", URI.create("http://localhost/user/1")));
        assertThat(asked).containsOnly("address");
        assertThat(told).containsExactly("NOT_CONFIGURED POST /page/1?a=1", "METHOD POST /user/1?null");
    }

    @ParameterizedTest
    @EnumSource
    void aRequestThatItsCredentialsKeepApartIsNotAskedForItsSession(ServletServer.Make make) throws IOException {
        call(
                make,
                listening(),
                Request.get(URI.create("http://localhost/user/1")).with("Cookie", "JSESSIONID=1"));
        assertThat(asked).contains("headers").doesNotContain("session");
        assertThat(told).containsExactly("CREDENTIALS GET /user/1?null");
    }
}

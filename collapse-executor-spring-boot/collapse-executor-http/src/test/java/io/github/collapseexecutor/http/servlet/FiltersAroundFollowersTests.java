package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters before the collapsing one see a follower's answer made as its leader's handler made its own. */
class FiltersAroundFollowersTests extends HeldHandlerFixture {

    private final AtomicInteger seen = new AtomicInteger();

    /** A follower that is dispatched back has the response that was wrapped when it came. */
    private static Filter wrapping(UnaryOperator<HttpServletResponse> wrapper) {
        return (request, response, chain) -> chain.doFilter(
                request,
                request.getDispatcherType() == DispatcherType.REQUEST
                        ? wrapper.apply((HttpServletResponse) response)
                        : response);
    }

    @ParameterizedTest
    @EnumSource
    void aFilterSeesTheFailureThatAHandlerHasLeftInItsRequest(ServletServer.Make make) throws Exception {
        before = List.of((request, response, chain) -> {
            chain.doFilter(request, response);
            if (request.getAttribute("failure") instanceof IllegalStateException) {
                seen.incrementAndGet();
            }
        });
        start(make);
        script = (request, response) -> {
            request.setAttribute("failure", new IllegalStateException("handled"));
            response.getWriter().write("handled");
        };
        assertThat(assertShared()).extracting(Response::body).containsOnly("handled");
        assertThat(seen).hasValue(1 + FOLLOWERS);
    }

    /** The filter changes what is written as characters, and would not see bytes. */
    @ParameterizedTest
    @EnumSource
    void aFilterThatWrapsTheWriterWritesTheResponsesOfAll(ServletServer.Make make) throws Exception {
        before = List.of(wrapping(UpperCase::new));
        start(make);
        script = (request, response) -> response.getWriter().write("text");
        assertThat(assertShared()).extracting(Response::body).containsOnly("TEXT");
    }

    private static final class UpperCase extends HttpServletResponseWrapper {

        UpperCase(HttpServletResponse response) {
            super(response);
        }

        @Override
        public PrintWriter getWriter() throws IOException {
            return new PrintWriter(new UpperCaseWriter(super.getWriter()));
        }
    }

    private static final class UpperCaseWriter extends FilterWriter {

        UpperCaseWriter(Writer out) {
            super(out);
        }

        @Override
        public void write(int character) throws IOException {
            super.write(Character.toUpperCase(character));
        }

        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            write(new String(characters, offset, length), 0, length);
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            super.write(text.toUpperCase(Locale.ROOT), offset, length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFilterSeesTheResponsesOfAllFlushed(ServletServer.Make make) throws Exception {
        before = List.of(wrapping(response -> new HttpServletResponseWrapper(response) {
            @Override
            public void flushBuffer() throws IOException {
                seen.incrementAndGet();
                super.flushBuffer();
            }
        }));
        start(make);
        script = (request, response) -> {
            response.getWriter().write("text");
            response.flushBuffer();
        };
        assertThat(assertShared()).extracting(Response::body).containsOnly("text");
        assertThat(seen).hasValue(1 + FOLLOWERS);
    }

    /** The head of so large a body is sent before its end. */
    @ParameterizedTest
    @EnumSource
    void H32_cacheStatusComesBeforeALargeBody(ServletServer.Make make) throws Exception {
        start(
                make,
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                        .cacheStatus("app"),
                IN_FLIGHT);
        String body = "0123456789".repeat(50_000);
        script = (request, response) -> response.getWriter().write(body);
        List<Response> responses = assertShared();
        assertThat(responses.get(0).body()).isEqualTo(body);
        assertThat(responses.subList(1, responses.size()))
                .allSatisfy(response ->
                        assertThat(response.header("Cache-Status")).containsExactly("app; fwd=uri-miss; collapsed"));
    }
}

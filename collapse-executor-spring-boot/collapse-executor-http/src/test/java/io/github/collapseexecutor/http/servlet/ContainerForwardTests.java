package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.servlet.zoo.ResponseFilters;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** At the end of a forward, a container asks for the writer and for the stream, to close the one that was opened. */
@OnEachLine
class ContainerForwardTests extends HeldHandlerFixture {

    static Stream<Arguments> servers() {
        return Arrays.stream(ServletServer.Make.values())
                .filter(ServersOfThisLine::include)
                .flatMap(make -> Stream.of(Arguments.of(make, true), Arguments.of(make, false)));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aForwardBehindAFilterThatWrapsIsShared(ServletServer.Make make, boolean byWriter) throws Exception {
        assertForwardIsShared(make, byWriter, 1, response -> response);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aForwardWhoseHandlerWrapsByItselfIsSharedToo(ServletServer.Make make, boolean byWriter) throws Exception {
        assertForwardIsShared(make, byWriter, 1, ResponseFilters.PassingOn::new);
    }

    /** As that to a JSP which forwards to another one: the container ends the body of each. */
    @ParameterizedTest
    @MethodSource("servers")
    void forwardsWithinForwardsAreShared(ServletServer.Make make, boolean byWriter) throws Exception {
        assertForwardIsShared(make, byWriter, 3, response -> response);
    }

    private void assertForwardIsShared(
            ServletServer.Make make, boolean byWriter, int forwards, UnaryOperator<HttpServletResponse> wrapping)
            throws Exception {
        before = List.of((request, response, chain) ->
                chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response)));
        start(make);
        script = (request, response) -> {
            int level = Objects.requireNonNullElse((Integer) request.getAttribute("again"), 0);
            request.setAttribute("again", level + 1);
            if (level < forwards) {
                request.getRequestDispatcher("/other").forward(request, wrapping.apply(response));
            } else if (byWriter) {
                response.getWriter().write("forwarded");
            } else {
                response.getOutputStream().print("forwarded");
            }
        };
        assertThat(assertShared()).extracting(Response::body).containsOnly("forwarded");
    }
}

package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.AsyncContext;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;

/** Spring Security wraps each response and completes its headers; a handler behind it shares what it would share without it. */
class HandlersBehindSpringSecurityTests extends HeldHandlerFixture {

    private void startSecured(ServletServer.Make make) {
        before = List.of(LEAVING, new HeaderWriterFilter(List.of(new CacheControlHeadersWriter())));
        start(make);
    }

    private static void assertSecured(List<Response> responses, String body) {
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.body()).isEqualTo(body);
            assertThat(response.header("Cache-Control"))
                    .singleElement()
                    .asString()
                    .contains("no-store");
        });
    }

    /** Jersey asks after each response, to send an error page for one without a body. */
    @ParameterizedTest
    @EnumSource
    void aHandlerThatAsksWhetherItsFlushedResponseIsCommittedIsShared(ServletServer.Make make) throws Exception {
        startSecured(make);
        script = (request, response) -> {
            response.getOutputStream().print("flushed");
            response.getOutputStream().flush();
            if (!response.isCommitted()) {
                response.sendError(500);
            }
        };
        assertSecured(assertShared(), "flushed");
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatAsksWhetherItsWholeResponseIsCommittedIsShared(ServletServer.Make make) throws Exception {
        startSecured(make);
        script = (request, response) -> {
            response.setContentLength(5);
            response.getOutputStream().print("whole");
            boolean unused = response.isCommitted(); // Undertow says no
        };
        assertSecured(assertShared(), "whole");
    }

    /** By then the filter has said that nothing is to be stored, which it says of each response that does not say otherwise. */
    @ParameterizedTest
    @EnumSource
    void aHandlerThatGoesOnAsynchronouslyIsShared(ServletServer.Make make) throws Exception {
        startSecured(make);
        script = (request, response) -> {
            AsyncContext context = request.startAsync(request, response);
            onceLeft(request, context, later -> later.getOutputStream().print("later"));
        };
        assertSecured(assertShared(), "later");
    }

    /** What the handler itself says counts, whatever the filter has said before. */
    @ParameterizedTest
    @EnumSource
    void aHandlerThatGoesOnAsynchronouslyAndForbidsToStoreIsNotShared(ServletServer.Make make) throws Exception {
        startSecured(make);
        script = (request, response) -> {
            AsyncContext context = request.startAsync(request, response);
            onceLeft(request, context, later -> {
                response.setHeader("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate");
                later.getOutputStream().print("mine");
            });
        };
        assertSecured(assertForwarded(), "mine");
    }
}

package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.ServletRequestPathUtils;

/** Responses that are for one user, and failures that may be about one. */
class ResponseForOneOnlyTests extends HeldHandlerFixture {

    @ParameterizedTest
    @EnumSource
    void H18_aCookieIsForOneOnly(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> response.addCookie(new Cookie("run", Integer.toString(runs.get())));
        assertForwarded();
    }

    @ParameterizedTest
    @EnumSource
    void H05_aUserKnownOnlyByTheHandlerGetsAResponseOfTheirOwn(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) ->
                request.setAttribute(RequestSnapshot.CLIENT_CERTIFICATE, "the handler has asked for it");
        assertForwarded();
    }

    @ParameterizedTest
    @EnumSource
    void trailersAreForOneOnly(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.setTrailerFields(() -> Map.of("X-Trailer", "1"));
            response.getOutputStream().print("body");
        };
        assertForwarded();
    }

    @ParameterizedTest
    @EnumSource
    void H05_aPrincipalIsNotCollapsedWithAnybody(ServletServer.Make make) throws Exception {
        start(make);
        holding = false;
        CountDownLatch both = new CountDownLatch(2);
        script = (request, response) -> {
            both.countDown();
            awaitQuietly(both);
            response.getWriter().write(request.getUserPrincipal().getName());
        };
        RawClient one = send(get().with("Sec-Test-User", "one"));
        RawClient two = send(get().with("Sec-Test-User", "two"));
        assertThat(one.response("GET").body()).isEqualTo("one");
        assertThat(two.response("GET").body()).isEqualTo("two");
    }

    @ParameterizedTest
    @EnumSource
    void H05_aFailureIsNotSharedAcrossUsers(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.named("public").shareAcrossUsers(true).build(), IN_FLIGHT);
        script = (request, response) -> {
            if (request.getUserPrincipal().getName().equals("guest")) {
                throw new ServletException("not for guests");
            }
            response.getWriter().write("welcome");
        };
        RawClient guest = send(get().with("Sec-Test-User", "guest"));
        awaitHandler();
        RawClient owner = send(get().with("Sec-Test-User", "owner"));
        waiting.await(1);
        holding = false;
        released.countDown();
        assertThat(guest.response("GET").status()).isEqualTo(500);
        assertThat(owner.response("GET").body()).isEqualTo("welcome");
    }

    /** The head was for both of them already; what the handler fails of may be about the user that it ran for. */
    @ParameterizedTest
    @EnumSource
    void H05_aFailureBehindAFlushedHeadIsNotSharedAcrossUsers(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.named("public").shareAcrossUsers(true).build(), IN_FLIGHT);
        script = (request, response) -> {
            if (request.getUserPrincipal().getName().equals("guest")) {
                response.flushBuffer();
                throw new ServletException("not for guests");
            }
            response.getWriter().write("welcome");
        };
        send(get().with("Sec-Test-User", "guest"));
        awaitHandler();
        RawClient owner = send(get().with("Sec-Test-User", "owner"));
        waiting.await(1);
        holding = false;
        released.countDown();
        assertThat(owner.response("GET").body()).isEqualTo("welcome");
        assertThat(runs).hasValue(2);
    }

    /** Not every server shows the cookie of a session before it sends the head. */
    @ParameterizedTest
    @EnumSource
    void H18_aSessionThatTheHandlerBeginsIsForOneOnly(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.named("public").shareAcrossUsers(true).build(), IN_FLIGHT);
        script = (request, response) ->
                response.getWriter().write("session " + request.getSession().getId());
        assertThat(assertForwarded()).extracting(Response::body).doesNotHaveDuplicates();
    }

    /** What a handler sends past the capture is in no record of it. */
    @ParameterizedTest
    @EnumSource
    void aResponseThatTheHandlerSendsByTheResponseOfAFilterIsForOneOnly(ServletServer.Make make) throws Exception {
        before = List.of((request, response, chain) -> {
            request.setAttribute("response", response);
            chain.doFilter(request, response);
        });
        start(make);
        script = (request, response) -> {
            HttpServletResponse own = (HttpServletResponse) request.getAttribute("response");
            own.getWriter().write("run " + runs.get());
            own.flushBuffer();
        };
        assertThat(assertForwarded()).extracting(Response::body).allMatch(body -> body.startsWith("run "));
    }

    private static CsrfFilter csrf() {
        CsrfFilter csrf = new CsrfFilter(CookieCsrfTokenRepository.withHttpOnlyFalse());
        csrf.setRequestHandler(new CsrfTokenRequestAttributeHandler());
        return csrf;
    }

    private static CsrfToken token(ServletRequest request) {
        return (CsrfToken) request.getAttribute(CsrfToken.class.getName());
    }

    private void assertEachHasItsToken(List<Response> responses) {
        assertThat(responses)
                .allSatisfy(response -> assertThat(response.header("Set-Cookie"))
                        .singleElement()
                        .asString()
                        .startsWith("XSRF-TOKEN=" + response.body() + ";"));
    }

    @ParameterizedTest
    @EnumSource
    void H18_aTokenThatBeginsACookieIsForOneOnly(ServletServer.Make make) throws Exception {
        before = List.of(csrf());
        start(make);
        script =
                (request, response) -> response.getWriter().write(token(request).getToken());
        assertEachHasItsToken(assertForwarded());
    }

    /** Spring copies all attributes to the request of a nested route, and back. */
    private static ScriptedServlet.Script nested(HandlerFunction<ServerResponse> handler) {
        RouterFunction<ServerResponse> router = RouterFunctions.route()
                .path("/a", nest -> nest.GET("", handler))
                .build();
        List<HttpMessageConverter<?>> converters = List.of(new StringHttpMessageConverter());
        return (request, response) -> {
            ServletRequestPathUtils.parseAndCache(request);
            ServerRequest routed = ServerRequest.create(request, converters);
            ServerResponse.Context context = () -> converters;
            try {
                router.route(routed).orElseThrow().handle(routed).writeTo(request, response, context);
            } catch (IOException | ServletException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new ServletException(e);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void H18_aTokenThatANestedRouteAsksForIsForOneOnly(ServletServer.Make make) throws Exception {
        before = List.of(csrf());
        start(make);
        script = nested(request ->
                ServerResponse.ok().body(token(request.servletRequest()).getToken()));
        assertEachHasItsToken(assertForwarded());
    }

    @ParameterizedTest
    @EnumSource
    void aNestedRouteThatAsksForNoTokenIsShared(ServletServer.Make make) throws Exception {
        before = List.of(csrf());
        start(make);
        script = nested(request -> ServerResponse.ok().body("page"));
        assertShared();
    }

    /** As the reference of Spring Security shows it for single-page applications. */
    @ParameterizedTest
    @EnumSource
    void H18_aTokenThatAFilterInFrontHasMadeIsForOneOnly(ServletServer.Make make) throws Exception {
        before = List.of(csrf(), (request, response, chain) -> {
            token(request).getToken();
            chain.doFilter(request, response);
        });
        start(make);
        script =
                (request, response) -> response.getWriter().write(token(request).getToken());
        assertEachHasItsToken(assertForwarded());
    }

    /** A filter in front says the same of every response, by default; the handler says it of its own. */
    @ParameterizedTest
    @EnumSource
    void H15_headersThatTheHandlerSetsAgainCount(ServletServer.Make make) throws Exception {
        before = List.of((request, response, chain) -> {
            ((HttpServletResponse) response).setHeader("Cache-Control", "no-store");
            chain.doFilter(request, response);
        });
        start(make);
        script = (request, response) -> {
            response.setHeader("Cache-Control", "no-store");
            response.getWriter().write("one-time code " + runs.get());
        };
        assertForwarded();
    }
}

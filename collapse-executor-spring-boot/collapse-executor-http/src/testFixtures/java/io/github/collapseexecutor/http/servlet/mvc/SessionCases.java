package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.COOKIE;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.SessionAttribute;
import org.springframework.web.context.annotation.RequestScope;
import org.springframework.web.context.annotation.SessionScope;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.server.ResponseStatusException;

/** Sessions, cookies, credentials, and beans of a request or a session. */
final class SessionCases {

    private SessionCases() {}

    static Stream<MvcCase> cases() {
        return Stream.of(
                        get("/session/create"),
                        head("/session/create"),
                        get("/session/create-late"),
                        get("/session/create").then("GET", "/session/read").with("Cookie", COOKIE),
                        get("/session/create").then("GET", "/session/attribute").with("Cookie", COOKIE),
                        get("/session/create")
                                .then("GET", "/session/invalidate")
                                .with("Cookie", COOKIE),
                        get("/session/create").then("GET", "/session/change-id").with("Cookie", COOKIE),
                        get("/session/bean"),
                        get("/session/bean").then("GET", "/session/bean").with("Cookie", COOKIE),
                        get("/session/attribute"),
                        get("/session/none"),
                        get("/session/none").with("Cookie", "JSESSIONID=0123456789ABCDEF0123456789ABCDEF"),
                        get("/session/encode-url"),
                        get("/session/request-bean"),
                        get("/session/request-attributes"),
                        get("/session/authorization").with("Authorization", "Basic YTpi"),
                        get("/session/authorization"),
                        get("/session/challenge"),
                        get("/session/challenge").with("Authorization", "Bearer x"),
                        get("/session/broken").with("Authorization", "Bearer x"),
                        get("/session/forbidden").with("Authorization", "Bearer x"),
                        get("/session/cookie").with("Cookie", "own=value; other=\"quoted\""),
                        get("/session/cookie"),
                        get("/session/late").with("Cookie", "own=value"),
                        get("/session/large").with("Cookie", "own=value"),
                        get("/session/principal"))
                .map(MvcCase::fromUser);
    }

    /** One for each request. */
    @Component
    @RequestScope
    static class OfRequest {
        private int count;

        int next() {
            return ++count;
        }
    }

    /** One for each session. */
    @Component
    @SessionScope
    static class OfSession {
        private int count;

        int next() {
            return ++count;
        }
    }

    @RestController
    @RequestMapping({"/session", "/shared/session"})
    @Import({OfRequest.class, OfSession.class})
    static class Handlers {

        private final OfRequest ofRequest;
        private final ObjectProvider<OfSession> ofSession;

        Handlers(OfRequest ofRequest, ObjectProvider<OfSession> ofSession) {
            this.ofRequest = ofRequest;
            this.ofSession = ofSession;
        }

        @GetMapping("/create")
        String create(HttpSession session) {
            session.setAttribute("own", "value");
            return "created";
        }

        @GetMapping("/create-late")
        void createLate(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write("text");
            request.getSession().setAttribute("own", "value");
        }

        @GetMapping("/read")
        String read(HttpServletRequest request) {
            HttpSession session = request.getSession(false);
            return session == null ? "no session" : session.isNew() + " " + session.getAttribute("own");
        }

        @GetMapping("/attribute")
        String attribute(@SessionAttribute String own) {
            return own;
        }

        @GetMapping("/invalidate")
        String invalidate(HttpSession session) {
            session.invalidate();
            return "gone";
        }

        @GetMapping("/change-id")
        String changeId(HttpServletRequest request) {
            return request.changeSessionId().isEmpty() ? "nothing" : "changed";
        }

        @GetMapping("/bean")
        String bean() {
            return "count " + ofSession.getObject().next();
        }

        @GetMapping("/none")
        String none(HttpServletRequest request) {
            return request.getRequestedSessionId() + " " + request.isRequestedSessionIdValid();
        }

        @GetMapping("/encode-url")
        String encodeUrl(HttpServletResponse response) {
            return response.encodeURL("/a") + response.encodeRedirectURL("/b");
        }

        @GetMapping("/request-bean")
        String requestBean() {
            return ofRequest.next() + " " + ofRequest.next();
        }

        @GetMapping("/request-attributes")
        String requestAttributes() {
            RequestAttributes attributes = RequestContextHolder.currentRequestAttributes();
            attributes.setAttribute("own", "value", RequestAttributes.SCOPE_REQUEST);
            return String.valueOf(attributes.getAttribute("own", RequestAttributes.SCOPE_REQUEST));
        }

        @GetMapping("/authorization")
        String authorization(@RequestHeader(name = "Authorization", defaultValue = "none") String authorization) {
            return authorization;
        }

        @GetMapping("/challenge")
        ResponseEntity<String> challenge() {
            return ResponseEntity.status(401)
                    .header("WWW-Authenticate", "Basic realm=\"a\"")
                    .body("who?");
        }

        @GetMapping("/broken")
        String broken() {
            throw new IllegalStateException("broken");
        }

        @GetMapping("/forbidden")
        String forbidden() {
            throw new ResponseStatusException(HttpStatus.FORBIDDEN);
        }

        @GetMapping("/cookie")
        String cookie(@CookieValue(name = "own", defaultValue = "none") String own) {
            return own;
        }

        @GetMapping("/late")
        Callable<String> late(@CookieValue String own) {
            return () -> own;
        }

        @GetMapping("/large")
        String large() {
            return MvcFiles.text(50_000);
        }

        @GetMapping("/principal")
        String principal(HttpServletRequest request) {
            return request.getRemoteUser() + " " + request.getUserPrincipal() + " " + request.isUserInRole("a");
        }
    }
}

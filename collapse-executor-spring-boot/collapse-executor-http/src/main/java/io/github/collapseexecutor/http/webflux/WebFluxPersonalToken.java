package io.github.collapseexecutor.http.webflux;

import org.springframework.security.web.server.csrf.CsrfToken;

/**
 * A CSRF token of Spring Security as a handler gets it: the response of a handler that uses it is for the one client that has the same
 * token. Only loaded where Spring Security is present.
 */
final class WebFluxPersonalToken implements CsrfToken {

    private static final long serialVersionUID = 1L;

    // immutable
    private final CsrfToken token;
    private final transient Runnable personal;

    private WebFluxPersonalToken(CsrfToken token, Runnable personal) {
        this.token = token;
        this.personal = personal;
    }

    /**
     * Shows a token.
     *
     * @param token a {@link CsrfToken}
     * @param personal is told when the token is used
     */
    static Object of(Object token, Runnable personal) {
        return new WebFluxPersonalToken((CsrfToken) token, personal);
    }

    private CsrfToken used() {
        personal.run();
        return token;
    }

    /** A session, say, gets the token itself. */
    private Object writeReplace() {
        return used();
    }

    @Override
    public String getHeaderName() {
        return used().getHeaderName();
    }

    @Override
    public String getParameterName() {
        return used().getParameterName();
    }

    @Override
    public String getToken() {
        return used().getToken();
    }
}

package io.github.collapseexecutor.sample.springboot.live;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** In front of the endpoint that the page reads: lets every request pass until a test says how it is refused. */
final class EndpointGuard implements Filter {

    private static final String LOGIN = "/login";

    /** How requests of the endpoint are answered. */
    enum Refusal {
        UNAUTHORIZED,
        REDIRECT_TO_A_LOGIN,
        NOT_EXPOSED
    }

    // mutable, written as a whole
    private volatile @Nullable Refusal refusal;

    void refuse(@Nullable Refusal how) {
        refusal = how;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String path = ((HttpServletRequest) request).getRequestURI();
        HttpServletResponse answer = (HttpServletResponse) response;
        Refusal how = refusal;
        if (path.equals(LOGIN)) {
            answer.setContentType("text/html");
            answer.getWriter().write("<!doctype html><title>Log in</title>");
        } else if (how == null || !path.equals("/actuator/collapse")) {
            chain.doFilter(request, response);
        } else {
            switch (how) {
                case UNAUTHORIZED -> answer.sendError(HttpServletResponse.SC_UNAUTHORIZED);
                case REDIRECT_TO_A_LOGIN -> answer.sendRedirect(LOGIN);
                case NOT_EXPOSED -> answer.sendError(HttpServletResponse.SC_NOT_FOUND);
            }
        }
    }
}

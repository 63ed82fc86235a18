package io.github.collapseexecutor.http.servlet.zoo;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;

/** Gives each client a session, whose identity changes with every request, and says how many requests it has had. */
public final class SessionFilter implements Filter {

    /** Says how many requests the session has had. */
    public static final String HEADER = "X-Visits";

    private static final String VISITS = "visits";

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest present = (HttpServletRequest) request;
        HttpSession session = present.getSession();
        if (!session.isNew()) {
            String unused = present.changeSessionId();
        }
        int visits = session.getAttribute(VISITS) instanceof Integer before ? before + 1 : 1;
        session.setAttribute(VISITS, visits);
        ((HttpServletResponse) response).setHeader(HEADER, Integer.toString(visits));
        chain.doFilter(request, response);
    }
}

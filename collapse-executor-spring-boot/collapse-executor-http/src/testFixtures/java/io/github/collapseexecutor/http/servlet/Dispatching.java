package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

/** Where a handler gets the dispatcher to another resource from. */
public enum Dispatching {
    OF_THE_REQUEST {
        @Override
        public RequestDispatcher dispatcher(HttpServletRequest request) {
            return request.getRequestDispatcher(PATH);
        }
    },
    /** A filter that wraps the request does not see that. */
    OF_THE_CONTEXT {
        @Override
        public RequestDispatcher dispatcher(HttpServletRequest request) {
            return request.getServletContext().getRequestDispatcher(PATH);
        }
    },
    /** Nor that, and no attribute of the request tells of it. */
    BY_NAME {
        @Override
        public RequestDispatcher dispatcher(HttpServletRequest request) {
            return request.getServletContext().getNamedDispatcher(ServletServer.SERVLET);
        }
    };

    private static final String PATH = "/part";

    public abstract RequestDispatcher dispatcher(HttpServletRequest request);
}

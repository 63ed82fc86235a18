package io.github.collapseexecutor.http.servlet;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.SharedResponse;
import io.github.collapseexecutor.http.servlet.HandlerHead.ErrorSent;
import io.github.collapseexecutor.http.servlet.HandlerHead.Extras;
import io.github.collapseexecutor.http.servlet.HandlerHead.RedirectSent;
import io.github.collapseexecutor.http.servlet.HandlerHead.Thrown;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Does to a follower's response what the leader's handler did to its own, so that filters and error pages do the rest. */
final class FollowerResponse {

    // immutable
    private final SharedResponse shared;
    private final Extras extras;
    private final FollowerListener listener;

    FollowerResponse(SharedResponse shared, FollowerListener listener) {
        this.shared = shared;
        this.listener = listener;
        this.extras = (Extras) requireNonNull(shared.attachment());
    }

    void writeTo(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        extras.left().leaveIn(request);
        listener.answering(request);
        if (extras.reset()) {
            response.reset();
        }
        Locale locale = extras.locale();
        if (locale != null) {
            response.setLocale(locale);
        }
        if (extras.ending() instanceof Thrown thrown) {
            HandlerRun.rethrow(thrown.failure());
        } else if (extras.ending() instanceof ErrorSent error) {
            writeHeaders(response, false);
            sendError(error, response);
        } else if (extras.ending() instanceof RedirectSent redirect) {
            writeHeaders(response, false);
            response.sendRedirect(redirect.location());
        } else {
            response.setStatus(shared.status());
            writeHeaders(response, true);
            if (shared.bodyLength() > 0) {
                shared.body().transferTo(response.getOutputStream());
            }
        }
    }

    private static void sendError(ErrorSent error, HttpServletResponse response) throws IOException {
        String message = error.message();
        if (message == null) {
            response.sendError(error.status());
        } else {
            response.sendError(error.status(), message);
        }
    }

    private void writeHeaders(HttpServletResponse response, boolean ofBody) {
        shared.forEachHeader(SharedResponse.Receiver.FOLLOWER, (name, values) -> {
            if (name.equalsIgnoreCase("Content-Type")) {
                if (ofBody) {
                    response.setContentType(values.get(0));
                }
            } else if (name.equalsIgnoreCase("Content-Length")) {
                if (ofBody) {
                    response.setContentLengthLong(Long.parseLong(values.get(0)));
                }
            } else if (ofBody || !name.equalsIgnoreCase("Location")) {
                writeHeader(response, name, values);
            }
        });
    }

    private void writeHeader(HttpServletResponse response, String name, List<String> values) {
        boolean adding = extras.added().contains(name.toLowerCase(Locale.ROOT)) || isAddedToAlways(name);
        for (String value : values) {
            if (adding) {
                response.addHeader(name, value);
            } else {
                response.setHeader(name, value);
                adding = true;
            }
        }
    }

    /** What we add ourselves stands behind what there is (H32). */
    private static boolean isAddedToAlways(String name) {
        return name.equalsIgnoreCase("Cache-Status");
    }
}

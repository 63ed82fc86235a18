package io.github.collapseexecutor.http.servlet;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.rules.CacheStatus;
import io.github.collapseexecutor.http.rules.SharedResponse;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Does to a follower's response what the leader's handler did to its own, so that filters and error pages do the rest. */
final class FollowerResponse {

    // immutable
    private final SharedResponse shared;
    private final FollowerListener listener;

    FollowerResponse(SharedResponse shared, FollowerListener listener) {
        this.shared = shared;
        this.listener = listener;
    }

    void writeTo(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        ServletRecording recording = (ServletRecording) requireNonNull(shared.attachment());
        recording.left().leaveIn(request);
        listener.answering(request);
        recording.replayTo(response, this::mark);
    }

    /** Adds what collapsing itself says behind what there is (H32). */
    private void mark(HttpServletResponse response) {
        String cacheStatus = shared.cacheStatus();
        if (cacheStatus != null) {
            response.addHeader(CacheStatus.HEADER, cacheStatus);
        }
    }
}

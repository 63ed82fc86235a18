package io.github.collapseexecutor.http.servlet;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.rules.CacheStatus;
import io.github.collapseexecutor.http.rules.SharedResponse;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Does to a follower's response what the leader's handler did to its own, so that filters and error pages do the rest.
 *
 * @param before the caching headers before the request left the filters in front; null if it never has
 */
record FollowerResponse(
        SharedResponse shared,
        FollowerListener listener,
        @Nullable CachingHeaders before) {

    void writeTo(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        ServletRecording recording = (ServletRecording) requireNonNull(shared.attachment());
        recording.left().leaveIn(request);
        listener.answering(request);
        if (before != null && (recording.saysHowToCache() || shared.status() == HttpServletResponse.SC_NOT_MODIFIED)) {
            before.restoreIn(response);
        }
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

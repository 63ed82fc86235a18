package io.github.collapseexecutor.http.hc5;

import io.github.collapseexecutor.http.rules.HttpResponseView;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.hc.core5.http.ClassicHttpResponse;

/**
 * The header section of a response.
 *
 * @param isForLeaderOnly whether the request was sent elsewhere than it asked for
 */
record ApacheResponseHead(ClassicHttpResponse response, boolean isForLeaderOnly) implements HttpResponseView {

    @Override
    public int status() {
        return response.getCode();
    }

    @Override
    public String reason() {
        String reason = response.getReasonPhrase();
        return reason == null ? "" : reason;
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        HeaderLines.forEach(Arrays.asList(response.getHeaders()), action);
    }
}

package io.github.collapseexecutor.http.rules;

import java.util.List;
import java.util.function.BiConsumer;

/** A response that a client has acted upon without showing its header section. */
enum UnknownResponse implements HttpResponseView {
    ONE;

    @Override
    public int status() {
        return 0;
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        // nothing is known of it
    }
}

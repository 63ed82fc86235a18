package io.github.collapseexecutor.http.rules;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * A response whose header section nobody shows. Public for other packages of the library only.
 *
 * @param status the status code; 0 if nobody shows that either
 */
public record StatusOnly(int status) implements HttpResponseView {

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {}
}

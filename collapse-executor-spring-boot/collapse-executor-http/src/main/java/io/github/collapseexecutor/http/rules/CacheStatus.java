package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import org.jspecify.annotations.Nullable;

/**
 * What collapsing adds to the {@code Cache-Status} header (RFC 9211) of a response, where the options name it (H32).
 * Public for other packages of the library only.
 */
public final class CacheStatus {

    public static final String HEADER = "Cache-Status";

    private CacheStatus() {}

    /** Returns the member for a request that another's call answered; null if the header is not added. */
    public static @Nullable String collapsed(HttpCollapseOptions options) {
        return member(options, "collapsed");
    }

    /** Returns the member for a request that was gathered with others and forwarded; null if the header is not added. */
    public static @Nullable String alone(HttpCollapseOptions options) {
        return member(options, "collapsed=?0");
    }

    private static @Nullable String member(HttpCollapseOptions options, String parameter) {
        String name = options.cacheStatus();
        return name == null ? null : name + "; fwd=uri-miss; " + parameter;
    }
}

package io.github.collapseexecutor.http.feign;

import feign.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * A body of which a part was read, as if it had not been: it is read from its begin, and again if the original can be read more
 * than once.
 */
final class ResumedBody implements Response.Body {

    // immutable
    private final Response.Body original;
    private final InputStream resumed;

    // mutable, confined to the threads that read the body one after another
    private boolean handedOut;

    ResumedBody(Response.Body original, InputStream resumed) {
        this.original = original;
        this.resumed = resumed;
    }

    @Override
    public @Nullable Integer length() {
        return original.length();
    }

    @Override
    public boolean isRepeatable() {
        return original.isRepeatable();
    }

    @Override
    public InputStream asInputStream() throws IOException {
        if (handedOut && isRepeatable()) {
            return original.asInputStream();
        }
        handedOut = true;
        return resumed;
    }

    @Override
    public Reader asReader(Charset charset) throws IOException {
        return new InputStreamReader(asInputStream(), charset);
    }

    /** Closes the original first, which knows best how to end a body that was not read to its end. */
    @Override
    public void close() throws IOException {
        try {
            original.close();
        } finally {
            resumed.close();
        }
    }
}

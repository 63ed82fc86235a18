package io.github.collapseexecutor.http.feign;

import feign.Response;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** A receiver's own copy of a shared body (H28), which can be read as often as that of the leader. */
final class CopiedBody implements Response.Body {

    // immutable
    private final SharedResponse shared;
    private final FeignResponseHead.Received received;
    private final InputStream first;

    CopiedBody(SharedResponse shared, FeignResponseHead.Received received) {
        this.shared = shared;
        this.received = received;
        this.first = shared.body();
    }

    @Override
    public @Nullable Integer length() {
        return received.length();
    }

    @Override
    public boolean isRepeatable() {
        return received.repeatable();
    }

    @Override
    public InputStream asInputStream() {
        return isRepeatable() ? shared.body() : first;
    }

    @Override
    public Reader asReader(Charset charset) {
        return new InputStreamReader(asInputStream(), charset);
    }

    @Override
    public void close() {
        // it is in memory
    }
}

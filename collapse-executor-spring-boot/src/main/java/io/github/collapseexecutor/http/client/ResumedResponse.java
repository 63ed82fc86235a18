package io.github.collapseexecutor.http.client;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpResponse;

/**
 * A response of which a part was read, as if it had not been. The first {@code getBody()} is answered with the resumed body,
 * every later one as the original answers it: with the same stream again, or with another one if the original has several.
 */
final class ResumedResponse extends DelegatingResponse {

    // immutable
    private final @Nullable InputStream opened;
    private final InputStream resumed;

    // mutable, confined to the threads that read the response one after another
    private boolean handedOut;

    ResumedResponse(ClientHttpResponse original, @Nullable InputStream opened, InputStream resumed) {
        super(original);
        this.opened = opened;
        this.resumed = resumed;
    }

    /** Closes the original first, which knows best how, and then what stands in front of its body. */
    @Override
    public void close() {
        super.close();
        try {
            resumed.close();
        } catch (IOException closed) {
            // with the original, which is what counts
        }
    }

    @Override
    public InputStream getBody() throws IOException {
        if (!handedOut) {
            handedOut = true;
            return resumed;
        }
        InputStream next = super.getBody();
        return next == opened ? resumed : next;
    }
}

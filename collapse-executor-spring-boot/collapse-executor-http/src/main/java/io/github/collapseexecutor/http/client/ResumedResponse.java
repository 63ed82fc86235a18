package io.github.collapseexecutor.http.client;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpResponse;

/**
 * A response of which a part was read, as if it had not been. The first {@code getBody()} is answered with the resumed body,
 * every later one as the original answers it: with the same stream again, or with one that begins anew if the original's can be read
 * more than once. Some originals return another stream over what is left of the same bytes, as Apache HttpClient's does: that one would
 * begin behind the part that was read.
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
        return next != opened && hasMore(next) ? next : resumed;
    }

    /**
     * Whether another stream has more to read than what is left of the first one, so that it is not over the same bytes. It is asked
     * first, because more bytes may arrive in between.
     */
    private boolean hasMore(InputStream next) {
        int length = available(next);
        return length > available(opened);
    }

    /** A stream that is closed has nothing to read. */
    private static int available(@Nullable InputStream stream) {
        try {
            return stream == null ? 0 : stream.available();
        } catch (IOException closed) {
            return 0;
        }
    }
}

package io.github.collapseexecutor.http.hc5;

import java.io.InputStream;
import java.util.List;
import org.apache.hc.core5.function.Supplier;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.jspecify.annotations.Nullable;

/** A receiver's own copy of a shared body. It is in memory, and otherwise looks as that of the leader. */
final class CopiedEntity extends AbstractHttpEntity {

    /** What an entity says of its content. */
    record Head(@Nullable String type, @Nullable String encoding, boolean chunked, long length) {

        static @Nullable Head ofNullable(@Nullable HttpEntity entity) {
            return entity == null
                    ? null
                    : new Head(
                            entity.getContentType(),
                            entity.getContentEncoding(),
                            entity.isChunked(),
                            entity.getContentLength());
        }
    }

    // immutable
    private final long length;
    private final InputStream content;
    private final List<Header> trailers;

    CopiedEntity(Head head, InputStream content, List<Header> trailers) {
        super(head.type(), head.encoding(), head.chunked());
        this.length = head.length();
        this.content = content;
        this.trailers = trailers;
    }

    @Override
    public long getContentLength() {
        return length;
    }

    @Override
    public InputStream getContent() {
        return content;
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public Supplier<List<? extends Header>> getTrailers() {
        return () -> trailers;
    }

    @Override
    public void close() {
        // it is in memory
    }
}

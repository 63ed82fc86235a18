package io.github.collapseexecutor.http.hc5;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.apache.hc.core5.http.io.entity.HttpEntityWrapper;

/** An entity of which a part was read, as if it had not been. */
final class ResumedEntity extends HttpEntityWrapper {

    // immutable
    private final InputStream resumed;

    ResumedEntity(HttpEntity original, InputStream resumed) {
        super(original);
        this.resumed = resumed;
    }

    @Override
    public InputStream getContent() {
        return resumed;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        AbstractHttpEntity.writeTo(this, out);
    }

    @Override
    public void close() throws IOException {
        resumed.close();
    }
}

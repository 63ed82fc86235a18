package io.github.collapseexecutor.http.call;

import java.io.IOException;
import java.io.InputStream;

/** An empty body; a test says what happens when it is read. */
final class ScriptedBody extends InputStream {

    private final Reading reading;

    ScriptedBody(Reading reading) {
        this.reading = reading;
    }

    interface Reading {
        void read() throws IOException;
    }

    @Override
    public int read() throws IOException {
        reading.read();
        return -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return read();
    }
}

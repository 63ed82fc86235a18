package io.github.collapseexecutor.http.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/**
 * What is known of a response that broke off in mid-body: its readers fail as they would without the adapter, while they read the body,
 * and not before there is a response (H43). The failure itself goes its way as the transport threw it.
 *
 * @param owner the exchange whose response it is, which alone has all headers; it is not kept, since what it has may have the failure, as the
 *     body of Jetty's client does, and the failure would never be forgotten
 * @param contentType by which a reader of a follower is chosen
 * @param firstByte that of the body, without which RestClient takes an {@link java.io.EOFException} for an empty body; -1 if none has come
 */
record SpringBrokenBody(
        WeakReference<Object> owner,
        HttpStatusCode status,
        String reason,
        HttpHeaders headers,
        @Nullable String contentType,
        int firstByte) {

    /** By failures, which are equal to themselves alone; each for as long as anybody has the failure. */
    private static final Map<Throwable, SpringBrokenBody> KNOWN = Collections.synchronizedMap(new WeakHashMap<>());

    static SpringBrokenBody ifBroken(Object owner, ClientHttpResponse response) throws IOException {
        HttpHeaders headers = response.getHeaders();
        return new SpringBrokenBody(
                new WeakReference<>(owner),
                response.getStatusCode(),
                response.getStatusText(),
                headers,
                headers.getFirst(HttpHeaders.CONTENT_TYPE),
                -1);
    }

    /** Returns what a failure has broken; null if that was no body. */
    static @Nullable SpringBrokenBody of(Throwable failure) {
        return KNOWN.get(failure);
    }

    /** Opens the body, which may be read whole by that, as a buffering request factory does; its failure is noted. */
    InputStream open(ClientHttpResponse response) throws IOException {
        try {
            return response.getBody();
        } catch (IOException | RuntimeException e) {
            KNOWN.put(e, this);
            throw e;
        }
    }

    /** The same body, whose failure is noted: also an unchecked one, such as that of Reactor Netty. */
    InputStream watched(InputStream body) {
        return new Watched(body);
    }

    private SpringBrokenBody behind(int firstByte) {
        return new SpringBrokenBody(owner, status, reason, headers, contentType, firstByte);
    }

    private final class Watched extends FilterInputStream {

        // mutable, confined to the thread that reads
        private int first = -1;

        Watched(InputStream body) {
            super(body);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                int count = super.read(bytes, offset, length);
                if (first < 0 && count > 0) {
                    first = bytes[offset] & 0xFF;
                }
                return count;
            } catch (IOException | RuntimeException e) {
                KNOWN.put(e, behind(first));
                throw e;
            }
        }
    }

    /** A response of which the head has arrived, and whose body fails when it is read. */
    ClientHttpResponse response(Object receiver, Exception failure) {
        HttpHeaders shown = new HttpHeaders();
        if (owner.refersTo(receiver)) {
            headers.forEach(shown::put);
        } else if (contentType != null) {
            shown.set(HttpHeaders.CONTENT_TYPE, contentType);
        }
        return new SpringCopiedResponse(status, reason, shown, () -> new BrokenOff(failure, firstByte));
    }

    /** The first byte of a body, if it has one, and then its failure. */
    private static final class BrokenOff extends InputStream {

        // immutable
        private final Exception failure;

        // mutable, confined to the thread that reads
        private int next;

        BrokenOff(Exception failure, int firstByte) {
            this.failure = failure;
            this.next = firstByte;
        }

        @Override
        public int read() throws IOException {
            if (next < 0) {
                if (failure instanceof RuntimeException unchecked) {
                    throw unchecked;
                }
                throw (IOException) failure; // no other is noted
            }
            int read = next;
            next = -1;
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            bytes[offset] = (byte) read();
            return 1;
        }
    }
}

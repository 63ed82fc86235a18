package io.github.collapseexecutor.http.hc5;

import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.SSLSession;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * The leader's response without its connection, of which each receiver's own is made.
 *
 * @param reason null where there is none
 * @param version null if it is not known
 * @param lines the header lines as the origin sent them
 * @param entity null where there is none
 * @param trailers the header lines behind the body
 * @param tls null if the connection is not secure
 * @param endpoint the two ends of the connection; null if they are not known
 */
record ReceivedResponse(
        @Nullable String reason,
        @Nullable ProtocolVersion version,
        List<Header> lines,
        CopiedEntity.@Nullable Head entity,
        List<Header> trailers,
        @Nullable SSLSession tls,
        @Nullable EndpointDetails endpoint) {

    private static final Set<Integer> NO_BODY = Set.of(204, 205, 304);

    /**
     * Keeps what is known of a response.
     *
     * @param body the content as it comes from the connection, read to its end; null if it was not opened
     * @param context the leader's, which knows the connection
     */
    static ReceivedResponse of(ClassicHttpResponse response, @Nullable InputStream body, HttpClientContext context) {
        return new ReceivedResponse(
                response.getReasonPhrase(),
                response.getVersion(),
                List.of(response.getHeaders()),
                CopiedEntity.Head.ofNullable(response.getEntity()),
                body instanceof ChunkedInputStream chunks ? List.of(chunks.getFooters()) : List.of(),
                context.getSSLSession(),
                context.getEndpointDetails());
    }

    /** Of a response of another instance, of whose exchange the version of HTTP, the trailers and the connection are not known. */
    static ReceivedResponse ofInstance(SharedResponse shared, String method) {
        Map<String, @Nullable String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        shared.forEachHeader(
                SharedResponse.Receiver.FOLLOWER,
                (name, values) -> headers.put(name, values.isEmpty() ? null : values.get(0)));
        boolean bodiless = method.equals("HEAD") || NO_BODY.contains(shared.status());
        return new ReceivedResponse(
                shared.reason().isEmpty() ? null : shared.reason(),
                HttpVersion.HTTP_1_1,
                List.of(),
                bodiless
                        ? null
                        : new CopiedEntity.Head(
                                headers.get("Content-Type"),
                                headers.get("Content-Encoding"),
                                false,
                                shared.bodyLength()),
                List.of(),
                null,
                null);
    }

    /** Makes a receiver's own copy (H28). */
    ClassicHttpResponse copy(SharedResponse shared, SharedResponse.Receiver receiver) {
        ClassicHttpResponse copy = new BasicClassicHttpResponse(shared.status(), reason);
        copy.setVersion(version);
        copy.setHeaders(HeaderLines.of(shared, receiver, lines));
        if (entity != null) {
            copy.setEntity(new CopiedEntity(entity, shared.body(), trailersFor(receiver)));
        }
        return copy;
    }

    /** A cookie in the trailers is the leader's. */
    private List<Header> trailersFor(SharedResponse.Receiver receiver) {
        return receiver == SharedResponse.Receiver.LEADER
                ? trailers
                : trailers.stream()
                        .filter(line -> !line.getName().equalsIgnoreCase("Set-Cookie"))
                        .toList();
    }
}

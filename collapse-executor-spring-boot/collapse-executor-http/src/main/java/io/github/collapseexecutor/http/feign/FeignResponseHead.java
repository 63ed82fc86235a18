package io.github.collapseexecutor.http.feign;

import feign.Request;
import feign.Response;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The header section of a response. */
record FeignResponseHead(Response response) implements HttpResponseView {

    private static final String CONTENT_LENGTH = "Content-Length";
    private static final Set<String> DECODED = Set.of("gzip", "deflate");

    @Override
    public int status() {
        return response.status();
    }

    @Override
    public String reason() {
        String reason = response.reason();
        return reason == null ? "" : reason;
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        boolean decoded = mayBeDecoded(response);
        response.headers().forEach((name, values) -> {
            if (!decoded || !name.equalsIgnoreCase(CONTENT_LENGTH)) {
                action.accept(name, new ArrayList<>(values));
            }
        });
    }

    /**
     * Whether the client may have decoded the body and left the header lines as they came, as that of Feign does: the length
     * there is that of the encoded body. A client that does not decode notices itself if a body is cut off.
     */
    private static boolean mayBeDecoded(Response response) {
        Collection<String> codings = response.headers().getOrDefault("Content-Encoding", List.of());
        return codings.stream().anyMatch(DECODED::contains);
    }

    /**
     * What followers get of the leader's response beside status, headers and body.
     *
     * @param reason null where there is none
     * @param hidden the header that the rules are not shown
     * @param hasBody whether there is a body, though perhaps an empty one
     * @param length null if the client does not tell
     * @param repeatable whether the body can be read more than once
     */
    record Received(
            @Nullable String reason,
            Request.ProtocolVersion version,
            Map<String, Collection<String>> hidden,
            boolean hasBody,
            @Nullable Integer length,
            boolean repeatable) {

        /** Of a response of another instance, of whose exchange neither the version of HTTP nor the length before decoding is known. */
        static Received ofInstance(SharedResponse shared) {
            return new Received(
                    shared.reason().isEmpty() ? null : shared.reason(),
                    Request.ProtocolVersion.HTTP_1_1,
                    Map.of(),
                    true,
                    shared.bodyLength(),
                    false);
        }

        static Received of(Response response) {
            Response.Body body = response.body();
            Collection<String> lengths = response.headers().get(CONTENT_LENGTH);
            return new Received(
                    response.reason(),
                    response.protocolVersion(),
                    lengths != null && mayBeDecoded(response) ? Map.of(CONTENT_LENGTH, List.copyOf(lengths)) : Map.of(),
                    body != null,
                    body == null ? null : body.length(),
                    body != null && body.isRepeatable());
        }
    }
}

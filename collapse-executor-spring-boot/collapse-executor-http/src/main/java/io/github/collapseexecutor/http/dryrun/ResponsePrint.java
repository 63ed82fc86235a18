package io.github.collapseexecutor.http.dryrun;

import io.github.collapseexecutor.http.message.HeaderNames;
import io.github.collapseexecutor.http.message.HeaderPatterns;
import io.github.collapseexecutor.http.message.HttpFields;
import io.github.collapseexecutor.http.rules.KeyDigests;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a response to compare it with another one: status, headers, and a digest of the body, which is computed as the
 * body passes by.
 */
final class ResponsePrint implements BodyWatch {

    /** They differ from response to response by themselves, or belong to the connection. */
    private static final HeaderPatterns UNCOMPARED = HeaderPatterns.of(
            List.of(
                    "date",
                    "age",
                    "expires",
                    "via",
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "transfer-encoding",
                    "trailer",
                    "upgrade",
                    "content-length",
                    "set-cookie",
                    "server",
                    "server-timing",
                    "cache-status",
                    "x-cache*",
                    "x-served-by",
                    "x-timer",
                    "x-runtime",
                    "x-response-time",
                    "x-envoy-*",
                    "x-amz-cf-*",
                    "cf-ray",
                    "nel",
                    "report-to",
                    "alt-svc"),
            HeaderNames.OF_ONE_REQUEST);

    // immutable
    private final int status;
    private final HttpFields fields;
    private final long announced;
    private final long limit;
    private final MessageDigest digest = KeyDigests.sha256();
    private final CompletableFuture<ResponsePrint> whole = new CompletableFuture<>();

    // mutable, confined to the reader of the body until whole is done
    private byte @Nullable [] sum;
    private long length;
    private boolean complete;

    /**
     * Begins with the head.
     *
     * @param announced the length of the body, in bytes; negative if it is not known
     * @param limit a longer body is not compared, because it is not shared
     */
    ResponsePrint(int status, HttpFields fields, long announced, long limit) {
        this.status = status;
        this.fields = fields;
        this.announced = announced;
        this.limit = limit;
        if (announced == 0) {
            ended(true);
        }
    }

    /** A future that is done when the body has ended; it never is if nobody reads the body or closes it. */
    CompletableFuture<ResponsePrint> whole() {
        return whole;
    }

    @Override
    public void read(ByteBuffer bytes) {
        if (whole.isDone()) {
            return;
        }
        length += bytes.remaining();
        digest.update(bytes.duplicate());
        if (length == announced) {
            ended(true); // many readers stop here, and do not read the end
        } else if (length > limit) {
            ended(false);
        }
    }

    @Override
    public void ended(boolean isComplete) {
        if (!whole.isDone()) {
            sum = digest.digest();
            complete = isComplete;
            whole.complete(this);
        }
    }

    /**
     * Returns the parts in which two whole prints differ: {@code status}, {@code header x}, {@code body}; empty if they are
     * equal, null if too little of a body was read to say so.
     */
    @Nullable List<String> differences(ResponsePrint other) {
        List<String> parts = new ArrayList<>();
        if (status != other.status) {
            parts.add("status");
        }
        for (String name : fields.namesThatDiffer(other.fields)) {
            if (!UNCOMPARED.contain(name)) {
                parts.add("header " + name);
            }
        }
        boolean known = isKnown() && other.isKnown() && (length == other.length || (complete && other.complete));
        if (known && (length != other.length || !MessageDigest.isEqual(sum, other.sum))) {
            parts.add("body");
        }
        return known || !parts.isEmpty() ? parts : null;
    }

    private boolean isKnown() {
        return sum != null && (complete || (length > 0 && length <= limit));
    }
}

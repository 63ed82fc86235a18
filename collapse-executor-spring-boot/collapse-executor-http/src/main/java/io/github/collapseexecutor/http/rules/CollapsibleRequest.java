package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.message.HeaderNames;
import io.github.collapseexecutor.http.message.HttpFields;
import java.net.URI;

/**
 * A request that may share a call, as {@code SharingRules} found it: with its key, and what is needed later to
 * tell whether a response may answer it.
 *
 * <p>Immutable; it keeps a copy of the request's headers, not the request.
 */
public final class CollapsibleRequest implements RequestDecision {

    // immutable
    private final RequestKey key;
    private final URI uri;
    private final CollapseRule rule;
    private final HttpFields fields;
    private final boolean joinsRunningCall;
    private final int epoch;
    private final long arrivedAt;

    CollapsibleRequest(
            RequestKey key,
            URI uri,
            CollapseRule rule,
            HttpFields fields,
            boolean joinsRunningCall,
            int epoch,
            long arrivedAt) {
        this.key = key;
        this.uri = uri;
        this.rule = rule;
        this.fields = fields;
        this.joinsRunningCall = joinsRunningCall;
        this.epoch = epoch;
        this.arrivedAt = arrivedAt;
    }

    /** {@return what this request has in common with those it may share a call with} */
    public RequestKey key() {
        return key;
    }

    /**
     * {@return whether this request accepts the answer of a call that was already running when it arrived (H8)} One that says {@code no-cache},
     * {@code max-age=0} or {@code Pragma: no-cache} may only be gathered with others before their call starts.
     */
    public boolean joinsRunningCall() {
        return joinsRunningCall;
    }

    /** {@return the method, GET or HEAD} */
    public String method() {
        return key.method();
    }

    /** {@return the absolute address} */
    public URI uri() {
        return uri;
    }

    /** {@return the group that the request belongs to, one of the rules of the options} */
    public CollapseRule rule() {
        return rule;
    }

    /**
     * Tells whether a header of the request counts, although it is not part of the key, if the response shows it.
     *
     * @param name the name, in lower case
     * @return true for one that names the client or the way of a request ({@code Referer}), unless the policy lists headers
     */
    public boolean countsIfShown(String name) {
        return policy().everyHeader() && HeaderNames.SHOWN_OF_CLIENT.contain(name);
    }

    CollapsePolicy policy() {
        return rule.policy();
    }

    HttpFields fields() {
        return fields;
    }

    int epoch() {
        return epoch;
    }

    /** {@return when the request arrived, in nanoseconds on the clock of {@link System#nanoTime()}} */
    public long arrivedAt() {
        return arrivedAt;
    }

    /** Shows nothing of the request. */
    @Override
    public String toString() {
        return "CollapsibleRequest[" + key + "]";
    }
}

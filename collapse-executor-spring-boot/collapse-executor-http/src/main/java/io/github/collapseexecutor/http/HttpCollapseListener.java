package io.github.collapseexecutor.http;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Is told what becomes of the requests of an adapter, and why a request does not share a call: for metrics and logs.
 *
 * <pre>{@code
 * HttpCollapseOptions.builder().listener(new HttpCollapseListener() {
 *     public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
 *         reasons.computeIfAbsent(reason, absent -> new LongAdder()).increment();
 *     }
 * });
 * }</pre>
 *
 * <p>An adapter without a group tells nothing. An address may hold a user's data: keep it out of metric tags, and of logs above
 * DEBUG.
 *
 * <p>Each method is called on the thread on which the event happens, with no lock held. It delays that thread, and must not
 * block. An exception that it throws reaches no caller: the first one, and every {@code Error}, goes to the thread's
 * {@linkplain Thread#getUncaughtExceptionHandler() handler of uncaught exceptions}; further exceptions are ignored. Instances
 * must be thread-safe.
 */
public interface HttpCollapseListener {

    /**
     * A request is sent as a call of its own, because it may not share a call. Told once for each such request, before it is sent; its
     * end is not told. Does nothing unless it is overridden.
     *
     * @param rule the group that the request belongs to; null if there is none
     * @param reason why
     * @param method the request's method
     * @param uri the request's address
     */
    default void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {}

    /**
     * A request is sent as a call of its own that might have shared one: its key passes (H21), its group is in dry run, or it is a
     * follower that got no answer from the call it waited for; then the reason is why the response was not for it. Told once for
     * each such request, before it is sent; {@link #requestEnded} tells its end. A leader is no such request. Is told as
     * {@link #requestNotCollapsed} unless it is overridden.
     *
     * @param rule the group that the request belongs to
     * @param reason why
     * @param method the request's method
     * @param uri the request's address
     */
    default void requestReleased(CollapseRule rule, Reason reason, String method, URI uri) {
        requestNotCollapsed(rule, reason, method, uri);
    }

    /**
     * The response to a leader, or to a request whose key passes, is for that request only. Told once for each such response, not
     * for the response to a lone request, at which nobody looks, nor to a follower that was sent by itself. Does nothing unless it
     * is overridden.
     *
     * @param rule the group that the request belongs to
     * @param reason why
     * @param method the request's method
     * @param uri the request's address
     */
    default void responseNotShared(CollapseRule rule, Reason reason, String method, URI uri) {}

    /**
     * A request that might have shared a call has ended. Told once for each request of a group, whether it was sent or not, but
     * for those that could share no call by themselves. Does nothing unless it is overridden.
     *
     * @param request what became of it
     */
    default void requestEnded(HttpCallSummary request) {}
}

package io.github.collapseexecutor.http;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The switch of the adapters that were made with it, and a view of what is in them.
 *
 * <pre>{@code
 * HttpCollapseControl control = new HttpCollapseControl();
 * HttpCollapseOptions options = HttpCollapseOptions.builder().rules(rules).control(control).build();
 * control.pause();
 * }</pre>
 *
 * <p>While a group is paused, each of its requests is sent as a call of its own, at once. Requests that were gathered before end
 * as they would have.
 *
 * <p>Several adapters may have one control. It keeps none of them reachable. All methods are thread-safe.
 */
public final class HttpCollapseControl {

    /** One adapter, for as long as it is in use. Public for other packages of the library only. */
    public interface Adapter {

        /** {@return the counts of what is in it, at one moment} */
        HttpCollapseCounts counts();

        /** Gathers the next requests of every key again. */
        void forgetPassingKeys();

        /**
         * Shows an adapter to the control of its options.
         *
         * @param control the control, or null if there is none
         * @param adapter the adapter
         */
        static void attach(@Nullable HttpCollapseControl control, Adapter adapter) {
            if (control != null) {
                control.attach(adapter);
            }
        }
    }

    // mutable, thread-safe
    private final Set<CollapseRule> pausedRules = ConcurrentHashMap.newKeySet();
    private volatile boolean paused;
    // mutable, guarded by itself
    private final List<WeakReference<Adapter>> adapters = new ArrayList<>();

    /** Creates the control of adapters that are yet to be made; nothing is paused. */
    public HttpCollapseControl() {}

    /** Pauses every group. */
    public void pause() {
        paused = true;
    }

    /** Ends the pause of {@link #pause()}. A group that was paused by itself stays paused. */
    public void resume() {
        paused = false;
    }

    /** {@return whether every group is paused: {@link #pause()} was called and {@link #resume()} was not since} */
    public boolean isPaused() {
        return paused;
    }

    /**
     * Pauses one group.
     *
     * @param rule the group, one of {@link HttpCollapseOptions#rules()}
     */
    public void pause(CollapseRule rule) {
        pausedRules.add(rule);
    }

    /**
     * Ends the pause of one group. If every group is paused, it stays paused with them.
     *
     * @param rule the group
     */
    public void resume(CollapseRule rule) {
        pausedRules.remove(rule);
    }

    /**
     * Tells whether the requests of a group are sent as calls of their own now.
     *
     * @param rule the group
     * @return whether it is paused, by itself or with all
     */
    public boolean isPaused(CollapseRule rule) {
        return paused || pausedRules.contains(rule);
    }

    /** Forgets which keys pass: the next requests of these keys are gathered again (H21). */
    public void forgetPassingKeys() {
        present().forEach(Adapter::forgetPassingKeys);
    }

    /**
     * {@return the counts of what is in the adapters: the sums over all that are in use; each is counted at one moment, the adapters one after
     * another}
     */
    public HttpCollapseCounts counts() {
        return present().stream().map(Adapter::counts).reduce(HttpCollapseCounts.NONE, HttpCollapseCounts::plus);
    }

    private List<Adapter> present() {
        synchronized (adapters) {
            return adapters.stream()
                    .map(WeakReference::get)
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    private void attach(Adapter adapter) {
        synchronized (adapters) {
            adapters.removeIf(known -> known.refersTo(null));
            adapters.add(new WeakReference<>(adapter));
        }
    }
}

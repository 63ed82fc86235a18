package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
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

    /** One adapter. Both parts live as long as it does. */
    private record Adapter(
            WeakReference<SharingRules> rules,
            WeakReference<GatheringExecutors<? extends CollapseExecutor>> executors) {

        boolean isGone() {
            return rules.refersTo(null) || executors.refersTo(null);
        }
    }

    // mutable, thread-safe
    private final Set<CollapseRule> pausedRules = ConcurrentHashMap.newKeySet();
    private volatile boolean paused;
    // mutable, guarded by itself
    private final List<Adapter> adapters = new ArrayList<>();

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

    /**
     * Tells whether every group is paused.
     *
     * @return whether {@link #pause()} was called and {@link #resume()} was not since
     */
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
        for (Adapter adapter : present()) {
            SharingRules rules = adapter.rules().get();
            if (rules != null) {
                rules.forgetPassingKeys();
            }
        }
    }

    /**
     * Counts what is in the adapters.
     *
     * @return the sums over all adapters that are in use; each is counted at one moment, the adapters one after another
     */
    public HttpCollapseCounts counts() {
        HttpCollapseCounts sum = HttpCollapseCounts.NONE;
        for (Adapter adapter : present()) {
            SharingRules rules = adapter.rules().get();
            GatheringExecutors<? extends CollapseExecutor> executors =
                    adapter.executors().get();
            if (rules != null && executors != null) {
                CollapseCounts gathering = executors.gathering().counts();
                CollapseCounts regrouping = executors.regrouping().counts();
                sum = sum.plus(gathering, regrouping, rules.passingKeys());
            }
        }
        return sum;
    }

    private List<Adapter> present() {
        synchronized (adapters) {
            return List.copyOf(adapters);
        }
    }

    /** An adapter has been made with this control. */
    private void attach(SharingRules rules, GatheringExecutors<? extends CollapseExecutor> executors) {
        synchronized (adapters) {
            adapters.removeIf(Adapter::isGone);
            adapters.add(new Adapter(new WeakReference<>(rules), new WeakReference<>(executors)));
        }
    }

    /** An adapter has been made; its options may name a control. */
    static void attach(
            @Nullable HttpCollapseControl control,
            SharingRules rules,
            GatheringExecutors<? extends CollapseExecutor> executors) {
        if (control != null) {
            control.attach(rules, executors);
        }
    }
}

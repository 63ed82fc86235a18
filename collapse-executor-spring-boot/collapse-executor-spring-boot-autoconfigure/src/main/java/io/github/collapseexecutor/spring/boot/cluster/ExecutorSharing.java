package io.github.collapseexecutor.spring.boot.cluster;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.spring.annotation.BatchSharing;
import io.github.collapseexecutor.spring.annotation.MethodSharing;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** Which executors share calls with other instances, made by name or of annotated methods: those whose section says {@code cluster: true}. */
public final class ExecutorSharing implements MethodSharing {

    // immutable
    private final CollapseExecutorProperties properties;
    private final SharingCheck check;

    public ExecutorSharing(CollapseExecutorProperties properties, SharingCheck check) {
        this.properties = properties;
        this.check = check;
    }

    static String propertyOf(String executor) {
        return OptionsReader.sharingOf(OptionsReader.propertyOf(executor));
    }

    /** Refuses what cannot work, whether or not the executors are made. */
    public void check() {
        properties.executors().keySet().forEach(name -> {
            if (OptionsReader.SECTIONS.contains(name) && says(name)) {
                throw new InvalidCollapsePropertyException(
                        propertyOf(name),
                        true,
                        "this is the name of a section, not of an executor of callables",
                        "Remove the property; " + OptionsReader.sharingOf(OptionsReader.REST_TEMPLATE) + " and "
                                + OptionsReader.sharingOf(OptionsReader.WEB_CLIENT)
                                + " share the responses of clients.");
            }
            if (isOn(name)) {
                InstanceSharing unused = sharing(name);
            }
        });
    }

    /** Returns what shares the calls of an executor; null if it shares none. */
    public @Nullable CallWrapper wrapper(String name, JoinMode mode) {
        return isOn(name) ? sharing(name).of(name, mode) : null;
    }

    @Override
    public @Nullable CallWrapper calls(String executor, ResolvableType answer, JoinMode mode) {
        return isOn(executor) ? sharing(executor).ofMethod(executor, answer, mode) : null;
    }

    @Override
    public @Nullable BatchSharing batches(String executor, ResolvableType answer, JoinMode mode) {
        return isOn(executor) ? sharing(executor).ofBatches(executor, answer, mode) : null;
    }

    /** Refuses an executor whose calls cannot be shared. */
    public void checkMade(String name, CollapseExecutor made) {
        boolean isOfCallables = made instanceof BlockingCallableGroupCollapseExecutor
                || made instanceof AsyncCallableGroupCollapseExecutor
                || made instanceof FutureCallableGroupCollapseExecutor;
        if (isOn(name) && !isOfCallables) {
            throw new InvalidCollapsePropertyException(
                    propertyOf(name),
                    true,
                    "executors of callables share calls with other instances, and this one is a "
                            + made.getClass().getSimpleName(),
                    "Remove the property. For a function by key, give the executor ClusterCalls.sharedByKey(…) in code.");
        }
    }

    private boolean says(String name) {
        CollapseExecutorProperties.Gathering own = properties.executors().get(name);
        return own != null && Boolean.TRUE.equals(own.cluster());
    }

    private boolean isOn(String name) {
        return check.isOn() && says(name);
    }

    private InstanceSharing sharing(String name) {
        return check.required(propertyOf(name));
    }
}

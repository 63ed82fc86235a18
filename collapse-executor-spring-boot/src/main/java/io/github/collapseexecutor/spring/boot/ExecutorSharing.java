package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** Which named executors share calls with other instances: those whose section says {@code cluster: true}. */
final class ExecutorSharing {

    private static final String REDIS = "org.springframework.data.redis.connection.ReactiveRedisConnectionFactory";
    private static final String OFF = "set " + ClusterReader.CLUSTER + ".enabled: false, upon which no call is shared.";

    // immutable
    private final CollapseExecutorProperties properties;
    private final ObjectProvider<InstanceSharing> instances;

    ExecutorSharing(CollapseExecutorProperties properties, ObjectProvider<InstanceSharing> instances) {
        this.properties = properties;
        this.instances = instances;
    }

    static String propertyOf(String executor) {
        return OptionsReader.propertyOf(executor) + ".cluster";
    }

    /** Refuses what cannot work, whether or not the executors are made. */
    void check() {
        properties.executors().keySet().forEach(name -> {
            if (HttpSections.OF_PROPERTIES.contains(name) && says(name)) {
                throw new InvalidCollapsePropertyException(
                        propertyOf(name),
                        true,
                        "this is the name of a section, and sections do not share calls with other instances",
                        "Remove the property.");
            }
            if (isOn(name)) {
                InstanceSharing unused = sharing(name);
            }
        });
    }

    /** Returns what shares the calls of an executor; null if it shares none. */
    @Nullable CallWrapper wrapper(String name) {
        return isOn(name) ? sharing(name).of(name) : null;
    }

    /** Refuses an executor whose calls cannot be shared. */
    void checkMade(String name, CollapseExecutor made) {
        boolean isOfCallables = made instanceof BlockingCallableGroupCollapseExecutor
                || made instanceof AsyncCallableGroupCollapseExecutor
                || made instanceof FutureCallableGroupCollapseExecutor;
        if (isOn(name) && !isOfCallables) {
            throw new InvalidCollapsePropertyException(
                    propertyOf(name),
                    true,
                    "executors of callables share calls with other instances, and this one is a "
                            + made.getClass().getSimpleName(),
                    "Remove the property.");
        }
    }

    private boolean says(String name) {
        CollapseExecutorProperties.Gathering own = properties.executors().get(name);
        return own != null && Boolean.TRUE.equals(own.cluster());
    }

    private boolean isOn(String name) {
        return properties.enabled() && properties.cluster().enabled() && says(name);
    }

    private InstanceSharing sharing(String name) {
        InstanceSharing present = instances.getIfAvailable();
        if (present != null) {
            return present;
        }
        String property = propertyOf(name);
        if (!ClassUtils.isPresent(REDIS, null)) {
            throw new InvalidCollapsePropertyException(
                    property,
                    true,
                    "instances share calls through Redis, and spring-data-redis is not on the class path",
                    "Add spring-boot-starter-data-redis, or " + OFF);
        }
        if (properties.cluster().secret() == null) {
            throw new InvalidCollapsePropertyException(
                    ClusterReader.SECRET,
                    "",
                    "it is missing, and " + property
                            + " needs it: keys stand in Redis as a hash that only its owner can"
                            + " compute, and results are signed with it",
                    "Set it to at least 16 random bytes, the same for all instances, for example made by \"openssl rand"
                            + " -base64 32\"; or " + OFF);
        }
        throw new InvalidCollapsePropertyException(
                property,
                true,
                "there is not one ReactiveRedisConnectionFactory bean to share calls through",
                "Use Lettuce, which Spring Boot configures by spring.data.redis (Jedis is not reactive); of several factories,"
                        + " mark one as @Primary; or " + OFF);
    }
}

package io.github.collapseexecutor.spring.boot.cluster;

import io.github.collapseexecutor.spring.boot.config.Artifact;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.TestSlice;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/** Has what shares calls with other instances, or says what is missing for it. */
public record SharingCheck(
        CollapseExecutorProperties properties, ObjectProvider<InstanceSharing> instances, Environment environment) {

    private static final String OFF = "set " + OptionsReader.CLUSTER + ".enabled: false, upon which no call is shared.";

    /** Whether anything is shared at all. In a slice that has no Redis, each call is made by itself. */
    public boolean isOn() {
        return properties.enabled()
                && properties.cluster().enabled()
                && !(TestSlice.isIn(environment) && instances.getIfAvailable() == null);
    }

    /**
     * Returns what shares.
     *
     * @param property the one that asks for it
     */
    public InstanceSharing required(String property) {
        InstanceSharing present = instances.getIfAvailable();
        if (present != null) {
            return present;
        }
        if (!Artifact.REDIS.isPresent()) {
            throw Artifact.REDIS.missingFor(property, true, ", or " + OFF);
        }
        if (properties.cluster().secret() == null) {
            throw new InvalidCollapsePropertyException(
                    OptionsReader.SECRET,
                    "",
                    "it is missing, and " + property
                            + " needs it: keys stand in Redis as a hash that only its owner can"
                            + " compute, and results are encrypted with it",
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

package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.OtherInstances;
import org.jspecify.annotations.Nullable;

/** Which named RestTemplate and RestClient beans share responses with other instances: each with the bean of its name. */
final class ClientSharing {

    static final String PROPERTY = OptionsReader.REST_TEMPLATE + ".cluster";

    // immutable
    private final CollapseExecutorProperties properties;
    private final SharingCheck check;

    ClientSharing(CollapseExecutorProperties properties, SharingCheck check) {
        this.properties = properties;
        this.check = check;
    }

    /** Refuses what cannot work, whether or not there are clients. */
    void check() {
        if (!isOn()) {
            return;
        }
        if (properties.restTemplate().applyBeanNames().isEmpty()) {
            throw new InvalidCollapsePropertyException(
                    PROPERTY,
                    true,
                    "only beans that apply-bean-names names share with other instances, because the name of the bean tells"
                            + " which client is meant",
                    "Name the beans, or give another client cluster.http(…) of the ClusterCalls bean in code.");
        }
        InstanceSharing unused = check.required(PROPERTY);
    }

    /** Returns what a bean shares with; null if it shares nothing. */
    @Nullable OtherInstances of(String beanName) {
        return isOn() ? check.required(PROPERTY).http("rest-template " + beanName) : null;
    }

    private boolean isOn() {
        return check.isOn()
                && properties.collapses(properties.restTemplate())
                && properties.restTemplate().cluster();
    }
}

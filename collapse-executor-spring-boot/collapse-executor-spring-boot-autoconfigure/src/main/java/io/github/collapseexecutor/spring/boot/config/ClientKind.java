package io.github.collapseexecutor.spring.boot.config;

import java.util.List;

/** What a name of a client in the properties is the name of. */
public enum ClientKind {
    /** A bean. */
    BEAN("apply-bean-names"),
    /** A group of HTTP services, whose interfaces have one client. */
    HTTP_SERVICE_GROUP("apply-http-service-groups");

    // immutable
    private final String key;

    ClientKind(String key) {
        this.key = key;
    }

    /** The last part of the properties that list such names. */
    public String key() {
        return key;
    }

    List<String> namesIn(HttpSection section) {
        return switch (this) {
            case BEAN -> section.applyBeanNames();
            case HTTP_SERVICE_GROUP -> section.applyHttpServiceGroups();
        };
    }

    List<String> namesIn(CollapseExecutorProperties.Group group) {
        return switch (this) {
            case BEAN -> group.applyBeanNames();
            case HTTP_SERVICE_GROUP -> group.applyHttpServiceGroups();
        };
    }
}

package io.github.collapseexecutor.spring.boot.config;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.core.env.Environment;

/**
 * A slice of an application that a test starts, {@code @RestClientTest} for example. The configuration is that of the whole application, and
 * many beans that it names are not in the slice.
 */
public final class TestSlice {

    private TestSlice() {}

    /** Whether this is the environment of one: there, Spring Boot has only the auto-configurations that are listed for the slice. */
    public static boolean isIn(Environment environment) {
        return !environment.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true);
    }
}

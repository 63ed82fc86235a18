package io.github.collapseexecutor.spring.boot.endpoint;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/** The answers of the endpoint {@code collapse}, for tests of what it shows. */
public final class ShownByEndpoint {

    private ShownByEndpoint() {}

    /** Returns what it shows of everything. */
    public static Map<String, Object> all(BeanFactory context) {
        return context.getBean(CollapseEndpoint.class).sections();
    }

    /** Returns what it shows of a section or an executor, or null. */
    public static @Nullable Map<String, Object> of(BeanFactory context, String name) {
        return context.getBean(CollapseEndpoint.class).section(name);
    }
}

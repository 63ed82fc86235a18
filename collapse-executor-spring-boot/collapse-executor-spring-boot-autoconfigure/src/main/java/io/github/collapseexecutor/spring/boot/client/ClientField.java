package io.github.collapseexecutor.spring.boot.client;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * What one of Spring's clients or builders keeps to itself, with no public way to ask for it. It cannot be read in a native image,
 * where Spring is a module that is not open, and in another implementation.
 *
 * @param isReadable whether there is such a field, open to be read
 * @param value what stands in it, or null
 */
record ClientField<T>(boolean isReadable, @Nullable T value) {

    static <T> ClientField<T> named(String name, Class<T> type, Object owner) {
        Field field = ReflectionUtils.findField(owner.getClass(), name, type);
        return field != null && field.trySetAccessible()
                ? new ClientField<>(true, type.cast(ReflectionUtils.getField(field, owner)))
                : new ClientField<>(false, null);
    }
}

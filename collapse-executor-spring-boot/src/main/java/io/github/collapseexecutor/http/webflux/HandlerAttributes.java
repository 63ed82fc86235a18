package io.github.collapseexecutor.http.webflux;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.util.ClassUtils;

/**
 * The attributes of an exchange as its handler sees them. They notice whether the handler asks for a value that a filter in front has for
 * this request only: a publisher, which makes the value when it is subscribed to, or a CSRF token of Spring Security. A response
 * that is made of such a value is for no other client.
 */
final class HandlerAttributes extends AbstractMap<String, Object> {

    private static final @Nullable Class<?> TOKEN = tokenType();

    // immutable
    private final Map<String, Object> attributes;
    private final Runnable personal;

    // mutable, thread-safe; what the handler has put itself
    private final Set<Object> own = ConcurrentHashMap.newKeySet();

    /**
     * Shows attributes.
     *
     * @param personal is told when such a value is asked for
     */
    HandlerAttributes(Map<String, Object> attributes, Runnable personal) {
        this.attributes = attributes;
        this.personal = personal;
    }

    private static @Nullable Class<?> tokenType() {
        String name = "org.springframework.security.web.server.csrf.CsrfToken";
        ClassLoader loader = HandlerAttributes.class.getClassLoader();
        return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : null;
    }

    private @Nullable Object noticed(Object name, @Nullable Object value) {
        boolean ofOneRequest = value instanceof Publisher || (TOKEN != null && TOKEN.isInstance(value));
        if (ofOneRequest && !own.contains(name)) {
            personal.run();
        }
        return value;
    }

    @Override
    public @Nullable Object get(Object name) {
        return noticed(name, attributes.get(name));
    }

    @Override
    public @Nullable Object getOrDefault(Object name, @Nullable Object otherwise) {
        Object value = get(name);
        return value == null ? otherwise : value;
    }

    @Override
    public boolean containsKey(Object name) {
        return attributes.containsKey(name);
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        return attributes.entrySet();
    }

    @Override
    public @Nullable Object put(String name, Object value) {
        own.add(name);
        return attributes.put(name, value);
    }

    @Override
    public @Nullable Object remove(Object name) {
        return noticed(name, attributes.remove(name));
    }

    // As one step, where it is one in the original.

    @Override
    public @Nullable Object putIfAbsent(String name, Object value) {
        return noticed(name, attributes.putIfAbsent(name, value));
    }

    @Override
    public @Nullable Object computeIfAbsent(String name, Function<? super String, ?> value) {
        return noticed(name, attributes.computeIfAbsent(name, key -> {
            own.add(key);
            return value.apply(key);
        }));
    }

    @Override
    public @Nullable Object compute(String name, BiFunction<? super String, ? super @Nullable Object, ?> value) {
        return attributes.compute(name, (key, present) -> value.apply(key, noticed(key, present)));
    }
}

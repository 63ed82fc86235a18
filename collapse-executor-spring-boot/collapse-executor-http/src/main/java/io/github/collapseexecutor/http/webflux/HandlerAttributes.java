package io.github.collapseexecutor.http.webflux;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The attributes of an exchange as its handler sees them. They notice whether the handler uses a value that a filter in front has for
 * this request only: a publisher, which makes the value when it is subscribed to, or a CSRF token of Spring Security. A response
 * that is made of such a value is for no other client.
 *
 * <p>To read an attribute is not to use it: Spring itself copies all attributes, and puts the copies back, for each nested route. So the handler
 * gets such a value in a form that tells of its use, wherever the handler has it from. Values that the handler has put itself are
 * left as they are. They are known by identity, because the names of all are put again.
 */
final class HandlerAttributes extends AbstractMap<String, Object> {

    private static final @Nullable Class<?> TOKEN = tokenType();

    // immutable
    private final Map<String, Object> attributes;
    private final Runnable personal;

    // mutable, thread-safe; what the handler has put, be it made by itself or in the form that tells of its use
    private final Set<Object> own = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /**
     * Shows attributes.
     *
     * @param personal is told when such a value is used
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

    private static boolean isToken(@Nullable Object value) {
        return TOKEN != null && TOKEN.isInstance(value);
    }

    /** Returns a value as the handler gets it. */
    private @Nullable Object shown(@Nullable Object value) {
        if (value == null || own.contains(value)) {
            return value;
        } else if (value instanceof Mono<?> mono) {
            return mono.doFirst(personal);
        } else if (value instanceof Flux<?> flux) {
            return flux.doFirst(personal);
        } else if (value instanceof Publisher) {
            personal.run(); // nothing else can stand in its place
        } else if (isToken(value)) {
            return WebFluxPersonalToken.of(value, personal);
        }
        return value;
    }

    /** Notes that the handler puts a value. */
    private <T extends @Nullable Object> T ofHandler(T value) {
        if (value instanceof Publisher || isToken(value)) {
            own.add(value);
        }
        return value;
    }

    @Override
    public @Nullable Object get(Object name) {
        return shown(attributes.get(name));
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
    public @Nullable Object put(String name, Object value) {
        return shown(attributes.put(name, ofHandler(value)));
    }

    @Override
    public @Nullable Object remove(Object name) {
        return shown(attributes.remove(name));
    }

    // As one step, where it is one in the original.

    @Override
    public @Nullable Object putIfAbsent(String name, Object value) {
        return shown(attributes.putIfAbsent(name, ofHandler(value)));
    }

    @Override
    public @Nullable Object computeIfAbsent(String name, Function<? super String, ?> value) {
        return shown(attributes.computeIfAbsent(name, key -> ofHandler(value.apply(key))));
    }

    @Override
    public @Nullable Object compute(String name, BiFunction<? super String, ? super @Nullable Object, ?> value) {
        return attributes.compute(name, (key, present) -> ofHandler(value.apply(key, shown(present))));
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        Set<Map.Entry<String, Object>> entries = attributes.entrySet();
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, Object>> iterator() {
                Iterator<Map.Entry<String, Object>> all = entries.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return all.hasNext();
                    }

                    @Override
                    public Map.Entry<String, Object> next() {
                        return new ShownEntry(all.next());
                    }

                    @Override
                    public void remove() {
                        all.remove();
                    }
                };
            }

            @Override
            public int size() {
                return entries.size();
            }
        };
    }

    /** An entry whose value is as the handler gets it. */
    private final class ShownEntry implements Map.Entry<String, Object> {

        // immutable
        private final Map.Entry<String, Object> entry;

        ShownEntry(Map.Entry<String, Object> entry) {
            this.entry = entry;
        }

        @Override
        public String getKey() {
            return entry.getKey();
        }

        @Override
        public @Nullable Object getValue() {
            return shown(entry.getValue());
        }

        @Override
        public @Nullable Object setValue(Object value) {
            return shown(entry.setValue(ofHandler(value)));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Map.Entry<?, ?> entryToo
                    && Objects.equals(getKey(), entryToo.getKey())
                    && Objects.equals(entry.getValue(), entryToo.getValue());
        }

        @Override
        public int hashCode() {
            return entry.hashCode();
        }

        @Override
        public String toString() {
            return entry.toString();
        }
    }
}

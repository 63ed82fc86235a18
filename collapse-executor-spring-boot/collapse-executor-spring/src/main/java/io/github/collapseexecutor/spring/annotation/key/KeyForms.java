package io.github.collapseexecutor.spring.annotation.key;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.spring.annotation.KeyForm;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Gives objects a form that is the same on all instances, and another one for each other object: lists of texts, and of such lists. Scalars have one,
 * enums, records, and the containers of the JDK; other objects only by a {@link KeyForm} bean. They may hold more than can be seen here.
 */
public final class KeyForms {

    /** An object has no form. The message says why, and nothing of the object but its class. */
    public static final class NoFormException extends Exception {

        private static final long serialVersionUID = 1L;

        private NoFormException(String reason, @Nullable Throwable cause) {
            super(reason, cause, false, false);
        }
    }

    /** Parts within parts; deeper ones may have no end. */
    public static final int DEEPEST = 16;

    private static final Set<Class<?>> SCALARS =
            Set.of(String.class, BigInteger.class, BigDecimal.class, UUID.class, URI.class);

    // immutable
    private final Supplier<List<KeyForm<?>>> beans;

    public KeyForms(ObjectProvider<KeyForm<?>> beans) {
        this.beans = SingletonSupplier.of(() -> beans.orderedStream().toList());
    }

    /** Returns the form of an object. */
    public Object of(Object value) throws NoFormException {
        return requireNonNull(of(value, 0), "only null has the form null");
    }

    private @Nullable Object of(@Nullable Object value, int depth) throws NoFormException {
        if (depth > DEEPEST) {
            throw new NoFormException("its parts are nested more than " + DEEPEST + " deep", null);
        }
        if (value == null) {
            return null;
        }
        Class<?> type = value.getClass();
        KeyForm<Object> bean = beanFor(value);
        if (bean != null) {
            return List.of("bean", bean.type().getName(), textOf(value, bean));
        } else if (value instanceof Enum<?> constant) {
            return List.of(constant.getDeclaringClass().getName(), constant.name());
        } else if (isScalar(value)) {
            return List.of(type.getName(), encodable(value.toString()));
        } else if (value instanceof Locale locale) { // its own text leaves out where one part ends
            return List.of(
                    "locale",
                    List.of(locale.getLanguage(), locale.getScript(), locale.getCountry(), locale.getVariant()),
                    locale.getExtensionKeys().stream()
                            .map(key -> key + locale.getExtension(key))
                            .sorted()
                            .toList());
        } else if (value instanceof SecurityUser user) {
            return ofUser(user, depth);
        } else if (value instanceof Record) {
            return List.of("record", type.getName(), ofAll(partsOf(value), depth));
        } else if (type.isArray()) {
            return List.of("array", type.getName(), ofAll(Arrays.asList(ObjectUtils.toObjectArray(value)), depth));
        } else if (isOfJava(type) && value instanceof List<?> list) {
            return List.of("list", ofAll(list, depth));
        } else if (isOfJava(type) && value instanceof Set<?> set) {
            return List.of("set", sorted(ofAll(set, depth)));
        } else if (isOfJava(type) && value instanceof Map<?, ?> map) {
            List<Object> pairs = new ArrayList<>();
            map.forEach((key, held) -> pairs.add(Arrays.asList(key, held)));
            return List.of("map", sorted(ofAll(pairs, depth)));
        } else if (value instanceof Optional<?> optional) {
            return Arrays.asList("optional", of(optional.orElse(null), depth + 1));
        }
        throw new NoFormException("a " + type.getName() + " has no form that is the same on all instances", null);
    }

    private @Nullable Object ofUser(SecurityUser user, int depth) throws NoFormException {
        KeyForm<Object> bean = beanFor(user.authentication());
        return of(bean == null ? user.partsForOthers() : user.authentication(), depth + 1);
    }

    private List<@Nullable Object> ofAll(Collection<?> values, int depth) throws NoFormException {
        List<@Nullable Object> forms = new ArrayList<>(values.size());
        for (Object value : values) {
            forms.add(of(value, depth + 1));
        }
        return forms;
    }

    /** Equal sets and maps may have other orders. */
    private static List<@Nullable Object> sorted(List<@Nullable Object> forms) {
        forms.sort(Comparator.comparing(String::valueOf));
        return forms;
    }

    /** The texts of these are the same only for equal values. */
    private static boolean isScalar(Object value) {
        Class<?> type = value.getClass();
        return SCALARS.contains(type)
                || ClassUtils.isPrimitiveWrapper(type)
                || ((value instanceof TemporalAccessor || value instanceof TemporalAmount)
                        && type.getPackageName().equals("java.time"));
    }

    /** One of another package may have more to it than its elements. */
    private static boolean isOfJava(Class<?> type) {
        return type.getPackageName().equals("java.util");
    }

    @SuppressWarnings("unchecked") // a form knows the objects of its type
    private @Nullable KeyForm<Object> beanFor(Object value) {
        for (KeyForm<?> bean : beans.get()) {
            if (bean.type().isInstance(value)) {
                return (KeyForm<Object>) bean;
            }
        }
        return null;
    }

    private static String textOf(Object value, KeyForm<Object> bean) throws NoFormException {
        String text;
        try {
            text = bean.of(value);
        } catch (RuntimeException failure) { // the call itself must not fail
            throw new NoFormException("the KeyForm of a " + value.getClass().getName() + " failed", failure);
        }
        if (text == null) {
            throw new NoFormException("the KeyForm of a " + value.getClass().getName() + " returned null", null);
        }
        return encodable(text);
    }

    private static String encodable(String text) throws NoFormException {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new NoFormException("a text has half of a surrogate pair, which no encoding has", null);
        }
        return text;
    }

    /** Names and values of a record's components: those that it holds, whatever its methods return. */
    private static List<@Nullable Object> partsOf(Object value) throws NoFormException {
        Class<?> type = value.getClass();
        if (NativeDetector.inNativeImage()) {
            throw new NoFormException("a native image does not show all parts of a " + type.getName(), null);
        }
        List<@Nullable Object> parts = new ArrayList<>();
        try {
            for (RecordComponent component : type.getRecordComponents()) {
                Field field = type.getDeclaredField(component.getName());
                field.setAccessible(true);
                parts.add(field.getName());
                parts.add(field.get(value));
            }
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            throw new NoFormException("the record " + type.getName() + " does not show its parts: " + e, null);
        }
        return parts;
    }
}

package io.github.collapseexecutor.spring.annotation.key;

import io.github.collapseexecutor.spring.annotation.KeyForm;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Collection;
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
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Which objects have a text that is the same on all instances: plain values; lists, sets, maps and records of such; and what the beans of the
 * application know. {@link KeyText} writes them.
 */
public final class KeyForms {

    /** Types whose texts are the same only for equal values. */
    private static final Set<Class<?>> PLAIN = Set.of(
            String.class,
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            BigInteger.class,
            BigDecimal.class,
            UUID.class,
            URI.class,
            Instant.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetTime.class,
            OffsetDateTime.class,
            ZonedDateTime.class,
            Year.class,
            YearMonth.class,
            MonthDay.class,
            Duration.class,
            Period.class);

    /** A right of Spring Security 7 that says how a user has logged in, and when. */
    private static final String FACTOR = "org.springframework.security.core.authority.FactorGrantedAuthority";

    private static final Duration FACTOR_STEP = Duration.ofSeconds(10);

    /** Parts within parts; deeper ones may have no end. */
    public static final int DEEPEST = 16;

    // immutable
    private final Supplier<List<KeyForm<?>>> beans;

    public KeyForms(ObjectProvider<KeyForm<?>> beans) {
        this.beans = SingletonSupplier.of(() -> beans.orderedStream().toList());
    }

    static boolean isPlain(Class<?> type) {
        return PLAIN.contains(type);
    }

    /** A native image shows only those parts of a class that it was told of: two objects that differ might look the same. */
    static boolean showsParts() {
        return !NativeDetector.inNativeImage();
    }

    /** The bean that knows an object; null if none does. */
    @SuppressWarnings("unchecked") // a form knows the objects of its type
    @Nullable KeyForm<Object> beanFor(Object value) {
        for (KeyForm<?> bean : beans.get()) {
            if (bean.type().isInstance(value)) {
                return (KeyForm<Object>) bean;
            }
        }
        return null;
    }

    /**
     * Returns a part of a declared type none of whose objects has a form; null if none shows that by its type.
     *
     * @param declared the type of a parameter
     */
    public @Nullable Class<?> refused(ResolvableType declared) {
        return refused(declared, 0);
    }

    private @Nullable Class<?> refused(ResolvableType declared, int depth) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(declared.resolve(Object.class));
        if (depth > DEEPEST || isPlain(type) || type.isEnum() || type == Locale.class || isKnown(type)) {
            return null;
        }
        if (type.isRecord() && showsParts()) {
            return Arrays.stream(type.getRecordComponents())
                    .map(part -> refused(typeOf(part, declared), depth + 1))
                    .filter(part -> part != null)
                    .findFirst()
                    .orElse(null);
        }
        if (isContainer(type)) {
            return Arrays.stream(declared.getGenerics())
                    .map(part -> refused(part, depth + 1))
                    .filter(part -> part != null)
                    .findFirst()
                    .orElse(null);
        }
        return ArgumentEquality.isOpen(type) ? null : type;
    }

    private boolean isKnown(Class<?> type) {
        return beans.get().stream()
                .anyMatch(bean -> bean.type().isAssignableFrom(type) || type.isAssignableFrom(bean.type()));
    }

    private static ResolvableType typeOf(RecordComponent part, ResolvableType owner) {
        return ResolvableType.forMethodReturnType(part.getAccessor(), owner.resolve(Object.class));
    }

    private static boolean isContainer(Class<?> type) {
        return isOfJava(type)
                && (List.class.isAssignableFrom(type)
                        || Set.class.isAssignableFrom(type)
                        || Map.class.isAssignableFrom(type)
                        || type == Optional.class);
    }

    /**
     * Whether a field of an object of Spring Security's holds entries, such as claims, attributes or rights. Spring Security then sees
     * nothing but these, in values inside of them, too, whatever class a parser has chosen for the map or the list.
     */
    static boolean holdsEntries(Field field) {
        return Collection.class.isAssignableFrom(field.getType()) || Map.class.isAssignableFrom(field.getType());
    }

    /**
     * Returns what an object of Spring Security's holds in a field, as far as it counts. The moment of a login is another one in each request
     * of an application in which each request logs in, by a token or a password. It counts in steps of ten seconds: so requests of the same
     * time are of the same user, and a login of long ago is not taken for one of now.
     */
    static @Nullable Object held(Object part, Field field) throws IllegalAccessException {
        Object held = field.get(part);
        return held instanceof Instant moment
                        && field.getDeclaringClass().getName().equals(FACTOR)
                ? Math.floorDiv(moment.getEpochSecond(), FACTOR_STEP.toSeconds())
                : held;
    }

    static boolean isOfJava(Class<?> type) {
        return type.getName().startsWith("java.util.");
    }
}

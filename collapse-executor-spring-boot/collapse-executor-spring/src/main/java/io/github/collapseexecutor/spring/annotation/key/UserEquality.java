package io.github.collapseexecutor.spring.annotation.key;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;

/**
 * Compares authentications, principals and their parts by all that they hold, as {@link KeyText} writes them. The {@code equals} of many
 * classes of Spring Security leaves something out, such as the rights of a user or the registration by which it has logged in. Some ask
 * {@code equals} of a URL, which looks up addresses.
 *
 * <p>Objects of other classes are compared by their {@code equals}, if no field is added below it, else by identity. A native image does not
 * show fields: there, {@code equals} counts for classes of Spring Security that declare it themselves.
 */
final class UserEquality {

    private static final String OF_SECURITY = "org.springframework.security.";

    /** All fields of a class of Spring Security; null for another class, and where they are not shown. */
    private static final ClassValue<@Nullable List<Field>> HELD = new ClassValue<>() {
        @Override
        protected @Nullable List<Field> computeValue(Class<?> type) {
            return heldBy(type);
        }
    };

    /** Whether the equals of a class sees all that its objects hold. */
    private static final ClassValue<Boolean> SEES_ALL = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return seesAll(type);
        }
    };

    private UserEquality() {}

    static boolean areSame(@Nullable Object one, @Nullable Object other) {
        return areSame(one, other, false, 0);
    }

    /**
     * Compares two parts of users.
     *
     * @param entries whether collections and maps have nothing but their entries, as {@link KeyForms#holdsEntries} says
     * @param depth how many objects they are part of
     */
    private static boolean areSame(@Nullable Object one, @Nullable Object other, boolean entries, int depth) {
        if (one == other) {
            return true;
        }
        if (one == null || other == null || depth > KeyForms.DEEPEST) {
            return false;
        }
        if (one instanceof URL url) {
            return other instanceof URL address && url.toExternalForm().equals(address.toExternalForm());
        }
        if (hasEntries(one, entries) && hasEntries(other, entries)) {
            return haveSameEntries(one, other, entries, depth + 1);
        }
        Class<?> type = one.getClass();
        if (type != other.getClass()) {
            return false;
        }
        List<Field> held = HELD.get(type);
        if (held == null) {
            return SEES_ALL.get(type) && one.equals(other);
        }
        return held.stream()
                .allMatch(field ->
                        areSame(valueOf(one, field), valueOf(other, field), KeyForms.holdsEntries(field), depth + 1));
    }

    private static boolean hasEntries(Object value, boolean entries) {
        return (entries || KeyForms.isOfJava(value.getClass()))
                && (value instanceof List<?>
                        || value instanceof Set<?>
                        || value instanceof Map<?, ?>
                        || (entries && value instanceof Collection<?>));
    }

    private static boolean haveSameEntries(Object one, Object other, boolean entries, int depth) {
        if (one instanceof Map<?, ?> map) {
            return other instanceof Map<?, ?> others && haveSameValues(map, others, entries, depth);
        }
        if (!(one instanceof Collection<?> parts)
                || !(other instanceof Collection<?> others)
                || parts.size() != others.size()
                || one instanceof Set<?> != other instanceof Set<?>) {
            return false;
        }
        return areSameInOrder(parts, others, entries, depth)
                || (one instanceof Set<?> && areSameInAnyOrder(parts, others, entries, depth));
    }

    private static boolean areSameInOrder(Collection<?> parts, Collection<?> others, boolean entries, int depth) {
        Iterator<?> other = others.iterator();
        return parts.stream().allMatch(part -> other.hasNext() && areSame(part, other.next(), entries, depth));
    }

    /** A look-up would ask hashCode, that of a URL, too. */
    private static boolean areSameInAnyOrder(Collection<?> parts, Collection<?> others, boolean entries, int depth) {
        List<@Nullable Object> left = new ArrayList<>(others);
        for (Object part : parts) {
            int found = 0;
            while (found < left.size() && !areSame(part, left.get(found), entries, depth)) {
                found++;
            }
            if (found == left.size()) {
                return false;
            }
            Object unused = left.remove(found);
        }
        return true;
    }

    private static boolean haveSameValues(Map<?, ?> map, Map<?, ?> others, boolean entries, int depth) {
        try {
            return map.size() == others.size()
                    && map.entrySet().stream()
                            .allMatch(entry -> others.containsKey(entry.getKey())
                                    && areSame(entry.getValue(), others.get(entry.getKey()), entries, depth));
        } catch (ClassCastException | NullPointerException foreign) { // the other one cannot have such a key
            return false;
        }
    }

    private static @Nullable Object valueOf(Object part, Field field) {
        try {
            return KeyForms.held(part, field);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the field was made accessible: " + field, e);
        }
    }

    private static @Nullable List<Field> heldBy(Class<?> type) {
        List<Field> held = new ArrayList<>();
        for (Class<?> declaring = type; declaring != Object.class; declaring = declaring.getSuperclass()) {
            if (!KeyForms.showsParts() || !declaring.getName().startsWith(OF_SECURITY)) {
                return null;
            }
            Arrays.stream(declaring.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()))
                    .forEach(held::add);
        }
        return held.stream().allMatch(AccessibleObject::trySetAccessible) ? held : null;
    }

    private static boolean seesAll(Class<?> type) {
        // equals of the token asks it for principal and credentials, which are all that it adds
        if (type.getName().startsWith("java.") || type == UsernamePasswordAuthenticationToken.class) {
            return true;
        }
        Class<?> comparing = comparing(type);
        if (type.getName().startsWith(OF_SECURITY)) { // its fields are not shown
            return comparing == type;
        }
        for (Class<?> below = type; below != comparing; below = below.getSuperclass()) {
            if (Arrays.stream(below.getDeclaredFields()).anyMatch(UserEquality::isState)) {
                return false;
            }
        }
        return true;
    }

    /** The class that has the {@code equals} of a class. */
    private static Class<?> comparing(Class<?> type) {
        try {
            return type.getMethod("equals", Object.class).getDeclaringClass();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every class has equals: " + type, e);
        }
    }

    private static boolean isState(Field field) {
        return !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic();
    }
}

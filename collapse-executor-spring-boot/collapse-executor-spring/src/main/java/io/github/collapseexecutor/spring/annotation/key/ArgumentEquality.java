package io.github.collapseexecutor.spring.annotation.key;

import java.lang.reflect.Modifier;
import java.net.URL;

/**
 * Knows which arguments {@code equals} can compare. Arguments that only their identity tells apart would never share, unnoticed.
 */
public final class ArgumentEquality {

    public static final String REMEDY =
            "Pass something with equals, as a record, a List or a number; or, with @Collapsible, say by key what counts.";

    /** Whether each class has an equals of its own, found once. */
    private static final ClassValue<Boolean> COMPARED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return compares(type);
        }
    };

    private ArgumentEquality() {}

    /** Whether a declared type shows at once that its values cannot be compared. */
    public static boolean isRefused(Class<?> declared) {
        return declared.isArray() || (!isOpen(declared) && !declared.isPrimitive() && !COMPARED.get(declared));
    }

    /** Whether a declared type says little about the classes of its objects. */
    static boolean isOpen(Class<?> declared) {
        return !declared.isArray()
                && !declared.isPrimitive()
                && (declared.isInterface() || declared == Object.class || Modifier.isAbstract(declared.getModifiers()));
    }

    /** Whether an argument can be compared. */
    public static boolean isCompared(Object argument) {
        return COMPARED.get(argument.getClass());
    }

    private static boolean compares(Class<?> type) {
        if (type == Class.class) {
            return true;
        }
        if (type.isArray() || type == URL.class) { // a URL equals each other one whose host has the same address
            return false;
        }
        try {
            return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every class has equals: " + type, e);
        }
    }
}

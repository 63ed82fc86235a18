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
        boolean saysLittle = !declared.isArray()
                && (declared.isPrimitive() || declared.isInterface() || Modifier.isAbstract(declared.getModifiers()));
        return !saysLittle && declared != Object.class && !COMPARED.get(declared);
    }

    /** Whether an argument can be compared. */
    public static boolean isCompared(Object argument) {
        return isComparedType(argument.getClass());
    }

    static boolean isComparedType(Class<?> type) {
        return COMPARED.get(type);
    }

    private static boolean compares(Class<?> type) {
        // a URL equals each other one whose host has the same address
        return type == Class.class || (!type.isArray() && type != URL.class && comparing(type) != Object.class);
    }

    /** The class that has the {@code equals} of a class. */
    static Class<?> comparing(Class<?> type) {
        try {
            return type.getMethod("equals", Object.class).getDeclaringClass();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every class has equals: " + type, e);
        }
    }
}

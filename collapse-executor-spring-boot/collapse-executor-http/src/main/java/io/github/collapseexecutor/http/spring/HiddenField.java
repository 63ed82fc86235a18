package io.github.collapseexecutor.http.spring;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an object of a library keeps to itself, where there is no public way to ask for it and safety depends on it. Where it
 * cannot be read, as in a native image or through a closed module, there is nothing to be seen. Public for other packages of the library only.
 */
public final class HiddenField {

    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            List<Field> fields = new ArrayList<>();
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && isOpened(field)) {
                    fields.add(field);
                }
            }
            return List.copyOf(fields);
        }
    };

    private HiddenField() {}

    /** The fields of objects that can be read and that a class itself declares. */
    public static List<Field> in(Class<?> type) {
        return FIELDS.get(type);
    }

    private static boolean isOpened(AccessibleObject member) {
        try {
            return member.trySetAccessible();
        } catch (RuntimeException closed) {
            return false;
        }
    }

    /** Returns the value of the first field of this type that the object's own class declares, or null. */
    public static <T> @Nullable T valueIn(Object owner, Class<T> type) {
        for (Field field : FIELDS.get(owner.getClass())) {
            if (type.isAssignableFrom(field.getType())) {
                return type.cast(valueOf(field, owner));
            }
        }
        return null;
    }

    /** Returns the value of the first field of exactly this type, whose library may be absent, or null. */
    public static @Nullable Object valueIn(Object owner, String type) {
        for (Field field : FIELDS.get(owner.getClass())) {
            if (type.equals(field.getType().getName())) {
                return valueOf(field, owner);
            }
        }
        return null;
    }

    public static @Nullable Object valueOf(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("A field that was opened is closed: " + field, e);
        }
    }
}

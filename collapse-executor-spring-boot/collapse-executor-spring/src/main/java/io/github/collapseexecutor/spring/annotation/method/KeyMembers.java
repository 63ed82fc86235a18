package io.github.collapseexecutor.spring.annotation.method;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.util.StringUtils;

/**
 * The methods and properties that a key reads of an argument, as far as the declared types tell. An argument may be of a subclass that
 * has more, unless its type is final: only there is a name that does not exist a mistake for certain.
 */
final class KeyMembers {

    private KeyMembers() {}

    /**
     * Returns the type that a step of an expression leads to; null where the types do not tell.
     *
     * @param type what it is a step from
     */
    static @Nullable Class<?> typeOf(SpelNode step, Class<?> type) {
        List<Class<?>> types = candidates(step, type).distinct().toList();
        return types.size() == 1 ? types.get(0) : null;
    }

    /** Whether no object of a type can have what a step reads. */
    static boolean isAbsent(SpelNode step, Class<?> type) {
        boolean isMember = step instanceof MethodReference || step instanceof PropertyOrFieldReference;
        return isMember
                && Modifier.isFinal(type.getModifiers())
                && !type.isArray()
                && !type.isPrimitive()
                && candidates(step, type).findAny().isEmpty();
    }

    private static Stream<Class<?>> candidates(SpelNode step, Class<?> type) {
        if (step instanceof MethodReference method) {
            int arguments = method.getChildCount();
            return Arrays.stream(type.getMethods())
                    .filter(known -> known.getName().equals(method.getName()))
                    .filter(known -> known.isVarArgs() || known.getParameterCount() == arguments)
                    .map(Method::getReturnType);
        }
        if (step instanceof PropertyOrFieldReference property) {
            String name = property.getName();
            String capital = StringUtils.capitalize(name);
            Stream<Class<?>> getters = Arrays.stream(type.getMethods())
                    .filter(known -> known.getParameterCount() == 0)
                    .filter(known ->
                            List.of(name, "get" + capital, "is" + capital).contains(known.getName()))
                    .map(Method::getReturnType);
            Optional<Class<?>> field = Arrays.stream(type.getFields())
                    .filter(known -> known.getName().equals(name))
                    .findFirst()
                    .map(Field::getType);
            return Stream.concat(getters, field.stream());
        }
        return Stream.empty();
    }

    /** The names of what may be read of a type, for a message. */
    static String known(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 0 && method.getDeclaringClass() != Object.class)
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && method.getReturnType() != void.class)
                .map(method -> method.getName() + "()")
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }
}

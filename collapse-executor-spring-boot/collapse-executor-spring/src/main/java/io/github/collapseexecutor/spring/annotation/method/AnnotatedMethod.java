package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.InvalidCollapsingException;
import io.github.collapseexecutor.spring.annotation.key.ArgumentEquality;
import io.github.collapseexecutor.spring.annotation.key.KeyForms;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * A method of a bean with an annotation, and the words to refuse it.
 *
 * @param beanName the bean, as its factory calls it: an object of a scope, not the proxy in front of it
 * @param owner the class or interface of the bean that has the method, against which type variables are resolved
 * @param method the method
 * @param annotation the annotation
 */
record AnnotatedMethod(String beanName, Class<?> owner, Method method, Annotation annotation) {

    private static final String INNER_BEAN = "(inner bean)";
    private static final List<Class<?>> HOLDERS = List.of(Collection.class, Map.class, Optional.class);
    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /** Whether it is a function of Kotlin that suspends. */
    boolean isSuspending() {
        return SuspendingCalls.isSuspending(method);
    }

    /** What it returns in its source. */
    ResolvableType returnType() {
        return isSuspending()
                ? SuspendingCalls.answer(
                        ResolvableType.forMethodParameter(method, method.getParameterCount() - 1, owner))
                : ResolvableType.forMethodReturnType(method, owner);
    }

    List<ResolvableType> parameterTypes() {
        return parameterTypes(method, owner);
    }

    /** The parameters that its source names. */
    static List<ResolvableType> parameterTypes(Method method, Class<?> owner) {
        return IntStream.range(0, parameterCount(method))
                .mapToObj(index -> ResolvableType.forMethodParameter(method, index, owner))
                .toList();
    }

    /** How many parameters its source names. */
    static int parameterCount(Method method) {
        return method.getParameterCount() - (SuspendingCalls.isSuspending(method) ? 1 : 0);
    }

    /** The names of the parameters; null where the class files have none. */
    String @Nullable [] parameterNames() {
        return NAMES.getParameterNames(method);
    }

    /** Refuses it if a parameter shows by its type that it, or what it holds, cannot be compared. */
    void checkParameters() {
        List<ResolvableType> types = parameterTypes();
        for (int i = 0; i < types.size(); i++) {
            Class<?> found = uncompared(types.get(i), KeyForms.DEEPEST);
            if (found != null) {
                boolean isOfType = found == types.get(i).resolve();
                throw refused(
                        "parameter " + i + (isOfType ? " is of type " : " holds objects of type ") + found.getTypeName()
                                + ", which has no equals that compares its content",
                        ArgumentEquality.REMEDY);
            }
        }
    }

    /** The first type that no equals compares, of a parameter and of what a collection, a map or an Optional of the JDK holds; null if there is none. */
    private static @Nullable Class<?> uncompared(ResolvableType type, int depth) {
        Class<?> raw = type.resolve();
        if (raw == null || depth == 0) {
            return null;
        }
        if (ArgumentEquality.isRefused(raw)) {
            return raw;
        }
        return HOLDERS.stream().noneMatch(holder -> holder.isAssignableFrom(raw))
                        || !raw.getName().startsWith("java.")
                ? null
                : Arrays.stream(type.getGenerics())
                        .<@Nullable Class<?>>map(held -> uncompared(held, depth - 1))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    InvalidCollapsingException refused(String reason, String remedy) {
        return new InvalidCollapsingException(toString(), reason, remedy, null);
    }

    InvalidCollapsingException refused(String reason, String remedy, Throwable cause) {
        return new InvalidCollapsingException(toString(), reason, remedy, cause);
    }

    /** The executor's name where the annotation has none. */
    String defaultName() {
        boolean overloaded = Arrays.stream(owner.getMethods())
                        .filter(other -> other.getName().equals(method.getName()) && !other.isBridge())
                        .map(other -> List.of(other.getParameterTypes()))
                        .distinct()
                        .count()
                > 1;
        return shownBeanName() + "." + method.getName() + (overloaded ? "(" + parameters(method) + ")" : "");
    }

    private static String parameters(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
    }

    /** Says which method it is, the same on all instances: the bean, the method, what it returns, and what is the key or makes the batch. */
    List<String> form() {
        return List.of(
                shownBeanName(),
                owner.getName(),
                method.getName(),
                parameterTypes().toString(),
                returnType().toString(),
                annotation instanceof Collapsible shared ? shared.key() : "",
                annotation instanceof CollapseBatch batched ? batched.method() : "");
    }

    static String described(Class<?> owner, Method method) {
        return owner.getName() + "." + method.getName() + "(" + parameters(method) + ")";
    }

    @Override
    public String toString() {
        return "@" + annotation.annotationType().getSimpleName() + " " + described(owner, method) + " of bean \""
                + shownBeanName() + "\"";
    }

    /** The bean's name in the words of users. That of a bean inside of another one's definition has a number that differs with each start. */
    private String shownBeanName() {
        if (beanName.startsWith(INNER_BEAN)) {
            return ClassUtils.getShortNameAsProperty(owner);
        }
        return ScopedProxyUtils.isScopedTarget(beanName) ? ScopedProxyUtils.getOriginalBeanName(beanName) : beanName;
    }
}

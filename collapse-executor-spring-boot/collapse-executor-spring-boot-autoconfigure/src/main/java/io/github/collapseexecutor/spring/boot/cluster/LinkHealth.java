package io.github.collapseexecutor.spring.boot.cluster;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Makes what tells Spring Boot's health endpoint of the link to Redis, as details: it is always up, because without Redis calls are made alone and
 * none fails. The interface is another one in Spring Boot 4, so that a proxy implements that which is there.
 *
 * @param <T> the interface, which no code names
 */
public final class LinkHealth<T> implements FactoryBean<T> {

    /** Of Spring Boot 3 and 4; each has a class {@code Health} in its package. */
    public static final List<String> INDICATORS = List.of(
            "org.springframework.boot.actuate.health.HealthIndicator",
            "org.springframework.boot.health.contributor.HealthIndicator");

    // immutable
    private final Class<T> indicator;
    private final Class<?> health;
    private final Supplier<RedisSharing> sharing;

    private LinkHealth(Class<T> indicator, Supplier<RedisSharing> sharing) {
        this.indicator = indicator;
        this.health = named(healthOf(indicator.getName()));
        this.sharing = sharing;
    }

    /** Makes a factory of the interface of the Spring Boot that runs, which has to have one. */
    public static LinkHealth<?> of(Supplier<RedisSharing> sharing) {
        String present = INDICATORS.stream()
                .filter(name -> ClassUtils.isPresent(name, LinkHealth.class.getClassLoader()))
                .findFirst()
                .orElseThrow();
        return new LinkHealth<>(named(present), sharing);
    }

    /** Whether the Spring Boot of a class loader tells of health. */
    public static boolean isPossible(@Nullable ClassLoader loader) {
        return INDICATORS.stream().anyMatch(name -> ClassUtils.isPresent(name, loader));
    }

    /** The class that an indicator answers with. */
    public static String healthOf(String indicator) {
        return ClassUtils.getPackageName(indicator) + ".Health";
    }

    @Override
    public Class<T> getObjectType() {
        return indicator;
    }

    @Override
    public T getObject() {
        return indicator.cast(Proxy.newProxyInstance(
                indicator.getClassLoader(),
                new Class<?>[] {indicator},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "health", "getHealth" -> health(arguments == null || Boolean.TRUE.equals(arguments[0]));
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "toString" -> "health of the sharing with other instances";
                    default -> throw new UnsupportedOperationException(method.toString());
                }));
    }

    private Object health(boolean hasDetails) {
        Object builder = called(method(health, "up"), null);
        if (hasDetails) {
            called(
                    method(builder.getClass(), "withDetails", Map.class),
                    builder,
                    sharing.get().link());
        }
        return called(method(builder.getClass(), "build"), builder);
    }

    private static Object called(Method method, @Nullable Object target, Object... arguments) {
        return Objects.requireNonNull(ReflectionUtils.invokeMethod(method, target, arguments));
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        return Objects.requireNonNull(
                ReflectionUtils.findMethod(type, name, parameters),
                () -> "this version of Spring Boot has no method " + name + " in " + type);
    }

    @SuppressWarnings("unchecked") // which no code names
    private static <I> Class<I> named(String type) {
        return (Class<I>) ClassUtils.resolveClassName(type, LinkHealth.class.getClassLoader());
    }
}

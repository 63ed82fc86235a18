package io.github.collapseexecutor.spring.boot.cluster;

import io.github.collapseexecutor.spring.boot.config.ProxyBean;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Makes what tells Spring Boot's health endpoint of the link to Redis, as details: it is always up, because without Redis calls are made alone and
 * none fails. The interface is another one in Spring Boot 4.
 */
public final class LinkHealth {

    /** Of Spring Boot 3 and 4; each has a class {@code Health} in its package. */
    public static final List<String> INDICATORS = List.of(
            "org.springframework.boot.actuate.health.HealthIndicator",
            "org.springframework.boot.health.contributor.HealthIndicator");

    private LinkHealth() {}

    /** Makes a factory of the interface of the Spring Boot that runs, which has to have one. */
    public static ProxyBean<?> of(Supplier<RedisSharing> sharing) {
        String indicator = indicator();
        Class<?> health = ProxyBean.named(healthOf(indicator));
        return ProxyBean.of(
                indicator,
                "health of the sharing with other instances",
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "health", "getHealth" ->
                        arguments == null || Boolean.TRUE.equals(arguments[0])
                                ? up(health, sharing.get().link())
                                : up(health, Map.of());
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    /** Returns the name of the interface of the Spring Boot that runs, which has to have one. */
    public static String indicator() {
        return INDICATORS.stream()
                .filter(name -> ClassUtils.isPresent(name, LinkHealth.class.getClassLoader()))
                .findFirst()
                .orElseThrow();
    }

    private static Object up(Class<?> health, Map<String, Object> details) {
        Object builder = ProxyBean.called(ProxyBean.method(health, "up"), null);
        Object detailed =
                ProxyBean.called(ProxyBean.method(builder.getClass(), "withDetails", Map.class), builder, details);
        return ProxyBean.called(ProxyBean.method(builder.getClass(), "build"), detailed);
    }

    /** Whether the Spring Boot of a class loader tells of health. */
    public static boolean isPossible(@Nullable ClassLoader loader) {
        return INDICATORS.stream().anyMatch(name -> ClassUtils.isPresent(name, loader));
    }

    /** The class that an indicator answers with. */
    public static String healthOf(String indicator) {
        return ClassUtils.getPackageName(indicator) + ".Health";
    }
}

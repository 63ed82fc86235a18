package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ProxyBean;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.util.ReflectionUtils;

/**
 * Makes a configurer of HTTP service groups, of the kind that Spring Framework 7 calls for one kind of clients. The configurer comes last: the
 * request factory and the connector of a group are there when it is called.
 */
public final class ServiceGroupConfigurer {

    public static final String OF_REST_CLIENT =
            "org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer";

    public static final String OF_WEB_CLIENT =
            "org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer";

    public static final String REGISTRY = "org.springframework.web.service.registry.HttpServiceProxyRegistry";
    public static final String GROUP = "org.springframework.web.service.registry.HttpServiceGroup";
    public static final String GROUPS = "org.springframework.web.service.registry.HttpServiceGroupConfigurer$Groups";

    public static final String CALLBACK =
            "org.springframework.web.service.registry.HttpServiceGroupConfigurer$ClientCallback";

    private static final String DESCRIPTION = "collapsing of HTTP service groups";

    private ServiceGroupConfigurer() {}

    /**
     * Makes a factory of the configurer.
     *
     * @param type the name of the interface that the configurer implements
     * @param groups is told of each group, when Spring makes the clients
     */
    static ProxyBean<?> of(String type, Supplier<ServiceGroups<?>> groups) {
        return ProxyBean.of(type, DESCRIPTION, (configurer, method, arguments) -> switch (method.getName()) {
            case "configureGroups" -> configure(first(arguments), groups);
            case "getOrder" -> Ordered.LOWEST_PRECEDENCE;
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    private static @Nullable Object configure(Object all, Supplier<ServiceGroups<?>> groups) {
        Class<?> type = ProxyBean.named(CALLBACK);
        Object callback = ProxyBean.implementing(type, DESCRIPTION, (proxy, method, arguments) -> {
            Object name = ProxyBean.called(ProxyBean.method(ProxyBean.named(GROUP), "name"), first(arguments));
            groups.get().configure(name.toString(), arguments[1]);
            return null;
        });
        return ReflectionUtils.invokeMethod(
                ProxyBean.method(ProxyBean.named(GROUPS), "forEachClient", type), all, callback);
    }

    private static Object first(@Nullable Object[] arguments) {
        return Objects.requireNonNull(arguments[0], "a configurer is called with groups, and a callback with a group");
    }
}

package io.github.collapseexecutor.spring.boot;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Adds an interceptor behind all others. It decides by the headers it sees which requests are equal; were an interceptor
 * that adds a user's token to come after it, two users would look the same.
 */
final class LastInterceptor {

    // immutable
    private final ClientHttpRequestInterceptor interceptor;

    LastInterceptor(ClientHttpRequestInterceptor interceptor) {
        this.interceptor = interceptor;
    }

    void addTo(RestTemplate restTemplate) {
        List<ClientHttpRequestInterceptor> interceptors = new ArrayList<>(restTemplate.getInterceptors());
        moveToEnd(interceptors);
        restTemplate.setInterceptors(interceptors);
    }

    RestClient addTo(RestClient restClient) {
        return restClient.mutate().requestInterceptors(this::moveToEnd).build();
    }

    /**
     * Returns a builder that adds the interceptor when it builds and not before: whoever is handed the builder goes on
     * adding others to it. A proxy, because the interface has other methods in each generation of Spring.
     */
    RestClient.Builder addTo(RestClient.Builder builder) {
        return (RestClient.Builder) Proxy.newProxyInstance(
                RestClient.Builder.class.getClassLoader(),
                new Class<?>[] {RestClient.Builder.class},
                new BuildsLast(builder));
    }

    boolean isIn(RestClient restClient) {
        boolean[] found = new boolean[1];
        restClient.mutate().requestInterceptors(interceptors -> found[0] = interceptors.contains(interceptor));
        return found[0];
    }

    private void moveToEnd(List<ClientHttpRequestInterceptor> interceptors) {
        interceptors.removeIf(other -> other == interceptor);
        interceptors.add(interceptor);
    }

    private final class BuildsLast implements InvocationHandler {

        // immutable
        private final RestClient.Builder builder;

        BuildsLast(RestClient.Builder builder) {
            this.builder = builder;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            return switch (method.getName()) {
                case "build" -> addTo(builder.clone().build());
                case "clone" -> addTo(builder.clone());
                case "equals" -> arguments != null && proxy == arguments[0];
                default -> invokeBuilder(proxy, method, arguments);
            };
        }

        private @Nullable Object invokeBuilder(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            try {
                Object result = method.invoke(builder, arguments);
                return result == builder ? proxy : result;
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }
    }
}

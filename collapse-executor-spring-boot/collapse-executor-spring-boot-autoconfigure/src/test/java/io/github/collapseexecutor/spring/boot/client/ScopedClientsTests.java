package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.Scope;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** H35: a named client that has a scope is another client in each scope, with the credentials of that scope. */
class ScopedClientsTests extends OriginFixture {

    /** The user for whom a client is made. */
    private static final ThreadLocal<String> USER = ThreadLocal.withInitial(() -> "the starter of the application");

    private final ClearedScope cleared = new ClearedScope();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class))
            .withPropertyValues(
                    "collapse.executor.rest-template.apply-bean-names=template,client,clientBuilder",
                    "collapse.executor.rest-template.collapse-groups[0].uris=/user/*",
                    "collapse.executor.web-client.apply-bean-names=reactive,filtered,reactiveBuilder",
                    "collapse.executor.web-client.collapse-groups[0].uris=/user/*");

    @Override
    @BeforeEach
    protected void open() throws IOException {
        super.open();
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("X-User"))));
    }

    @Override
    @AfterEach
    protected void close() throws IOException {
        USER.remove();
        super.close();
    }

    private ApplicationContextRunner with(Scope scope) {
        return runner.withUserConfiguration(Clients.class)
                .withInitializer(context -> context.getBeanFactory().registerScope("user", scope));
    }

    private static <T> T as(String user, Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(() -> {
            USER.set(user);
            return call.call();
        });
        new Thread(task).start();
        return task.get(30, TimeUnit.SECONDS);
    }

    private String get(Object client) {
        if (client instanceof RestTemplate template) {
            return String.valueOf(template.getForObject(origin.uri("/user/1"), String.class));
        }
        if (client instanceof RestClient restClient) {
            return String.valueOf(
                    restClient.get().uri(origin.uri("/user/1")).retrieve().body(String.class));
        }
        if (client instanceof RestClient.Builder builder) {
            return get(builder.build());
        }
        if (client instanceof WebClient.Builder builder) {
            return get(builder.build());
        }
        return String.valueOf(((WebClient) client)
                .get()
                .uri(origin.uri("/user/1"))
                .retrieve()
                .bodyToMono(String.class)
                .block());
    }

    private static boolean collapses(Object client) {
        if (client instanceof RestTemplate template) {
            return OwnRequestFactory.of(template) instanceof CollapseClientHttpRequestFactory;
        }
        if (client instanceof RestClient.Builder builder) {
            return collapses(builder.build());
        }
        if (client instanceof WebClient.Builder builder) {
            return collapses(builder.build());
        }
        return client instanceof RestClient restClient
                ? CollapsingRestClients.isIn(restClient)
                : CollapsingWebClients.isIn((WebClient) client);
    }

    @ParameterizedTest
    @ValueSource(strings = {"template", "client", "clientBuilder", "reactive", "filtered", "reactiveBuilder"})
    void H35_eachUserHasTheClientOfTheirOwnScopeAndItCollapses(String name) {
        with(new SimpleThreadScope()).run(context -> {
            assertThat(context).hasNotFailed();
            Object proxy = context.getBean(name);
            assertThat(proxy).isInstanceOf(ScopedObject.class);
            for (String user : new String[] {"one", "two", "one again"}) {
                assertThat(as(user, () -> get(proxy))).isEqualTo(user);
                assertThat(as(user, () -> collapses(targetOf(context, name)))).isTrue();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"template", "client", "clientBuilder", "reactive", "filtered", "reactiveBuilder"})
    void H35_afterAScopeHasEndedItsClientIsUsedNoMore(String name) {
        with(cleared).run(context -> {
            Object proxy = context.getBean(name);
            for (String user : new String[] {"one", "two"}) {
                USER.set(user);
                cleared.clear();
                assertThat(get(proxy)).isEqualTo(user);
                assertThat(collapses(targetOf(context, name))).isTrue();
            }
        });
    }

    private static Object targetOf(ApplicationContext context, String name) {
        return context.getBean("scopedTarget." + name);
    }

    /** Its targets are no beans whose names could be known. */
    @Test
    void H35_aProxyThatLeadsToSeveralClientsStopsTheStart() {
        runner.withUserConfiguration(Swapped.class)
                .withPropertyValues("collapse.executor.rest-template.apply-bean-names=swapped")
                .withPropertyValues("collapse.executor.web-client.apply-bean-names=")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(
                                "the bean of this name is a proxy that leads to one client now and to another later"));
    }

    /** A scope with one set of objects for all threads, until that set is thrown away. */
    private static final class ClearedScope implements Scope {

        private final Map<String, Object> objects = new ConcurrentHashMap<>();

        void clear() {
            objects.clear();
        }

        @Override
        public Object get(String name, ObjectFactory<?> objectFactory) {
            Object present = objects.get(name);
            if (present == null) {
                present = objectFactory.getObject();
                objects.put(name, present);
            }
            return present;
        }

        @Override
        public @Nullable Object remove(String name) {
            return objects.remove(name);
        }

        @Override
        public void registerDestructionCallback(String name, Runnable callback) {}

        @Override
        public @Nullable Object resolveContextualObject(String key) {
            return null;
        }

        @Override
        public @Nullable String getConversationId() {
            return null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        @org.springframework.context.annotation.Scope(scopeName = "user", proxyMode = ScopedProxyMode.TARGET_CLASS)
        RestTemplate template() {
            String user = USER.get();
            RestTemplate template = new RestTemplate();
            template.getInterceptors().add((request, body, execution) -> {
                request.getHeaders().set("X-User", user);
                return execution.execute(request, body);
            });
            return template;
        }

        @Bean
        @org.springframework.context.annotation.Scope(scopeName = "user", proxyMode = ScopedProxyMode.TARGET_CLASS)
        RestClient client() {
            return clientBuilder().build();
        }

        @Bean
        @org.springframework.context.annotation.Scope(scopeName = "user", proxyMode = ScopedProxyMode.INTERFACES)
        RestClient.Builder clientBuilder() {
            return RestClient.builder().defaultHeader("X-User", USER.get());
        }

        @Bean
        @org.springframework.context.annotation.Scope(scopeName = "user", proxyMode = ScopedProxyMode.INTERFACES)
        WebClient reactive() {
            return reactiveBuilder().build();
        }

        @Bean
        @org.springframework.context.annotation.Scope(scopeName = "user", proxyMode = ScopedProxyMode.TARGET_CLASS)
        WebClient filtered() {
            return WebClient.builder().defaultHeader("X-User", USER.get()).build();
        }

        @Bean
        @org.springframework.context.annotation.Scope(scopeName = "user", proxyMode = ScopedProxyMode.INTERFACES)
        WebClient.Builder reactiveBuilder() {
            return WebClient.builder()
                    .clientConnector(new JdkClientHttpConnector())
                    .defaultHeader("X-User", USER.get());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Swapped {

        @Bean
        RestClient swapped() {
            return ProxyFactory.getProxy(RestClient.class, new HotSwappableTargetSource(RestClient.create()));
        }
    }
}

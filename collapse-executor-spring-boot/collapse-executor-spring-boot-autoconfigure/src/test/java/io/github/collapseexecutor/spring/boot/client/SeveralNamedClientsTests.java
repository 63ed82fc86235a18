package io.github.collapseexecutor.spring.boot.client;

import static io.github.collapseexecutor.http.client.IdentityServers.ONE;
import static io.github.collapseexecutor.http.client.IdentityServers.TWO;
import static io.github.collapseexecutor.http.client.IdentityServers.calls;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.ClientIdentity;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.client.IdentityServers;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Beans that differ in nothing but on whose behalf they ask, set up as the documentation says (H35). */
class SeveralNamedClientsTests {

    private static final String YAML = """
            collapse:
              executor:
                rest-template:
                  apply-bean-names: %s
                  collapse-groups:
                    - uris: /user/*
            """;

    /** Two beans for each identity, both named. */
    private static final String NAMES = String.join(
            ",",
            ClientIdentity.all().stream()
                    .flatMap(identity -> Stream.of(identity.name() + ONE, identity.name() + TWO))
                    .toList());

    private IdentityServers servers;

    @BeforeEach
    void open() throws IOException {
        servers = new IdentityServers();
    }

    @AfterEach
    void close() throws IOException {
        servers.close();
    }

    private RestTemplate template(ClientIdentity identity, String user) {
        return identity.template(identity.transport(servers, user), user);
    }

    private RestClient.Builder builder(ClientIdentity identity, String user) {
        return identity.builder(identity.transport(servers, user), user);
    }

    private RestClient.Builder make(RestClient.Builder builder, ClientIdentity identity, String user) {
        return identity.applyTo(builder, identity.transport(servers, user), user);
    }

    private <T> Consumer<GenericApplicationContext> beans(Class<T> type, BeanOf<? extends T> made) {
        return context -> {
            for (ClientIdentity identity : ClientIdentity.all()) {
                for (String user : List.of(ONE, TWO)) {
                    context.registerBean(identity.name() + user, type, () -> made.make(identity, user));
                }
            }
        };
    }

    private interface BeanOf<T> {
        T make(ClientIdentity identity, String user);
    }

    private void assertApart(ConfigurableApplicationContext context, Function<String, Function<URI, String>> calls)
            throws Exception {
        try (context) {
            for (ClientIdentity identity : ClientIdentity.all()) {
                servers.assertApart(identity, calls.apply(identity.name() + ONE), calls.apply(identity.name() + TWO));
            }
        }
    }

    @Test
    void H35_namedRestTemplatesShareNoCall() throws Exception {
        ConfigurableApplicationContext context = new TestApplication()
                .with(beans(RestTemplate.class, this::template))
                .start(YAML.formatted(NAMES));
        assertApart(context, name -> calls(context.getBean(name, RestTemplate.class)));
    }

    @Test
    void H35_namedRestClientsShareNoCall() throws Exception {
        ConfigurableApplicationContext context = new TestApplication()
                .with(beans(
                        RestClient.class,
                        (identity, user) -> builder(identity, user).build()))
                .start(YAML.formatted(NAMES));
        assertApart(context, name -> calls(context.getBean(name, RestClient.class)));
    }

    @Test
    void H35_namedBuildersShareNoCall() throws Exception {
        ConfigurableApplicationContext context = new TestApplication()
                .with(beans(RestClient.Builder.class, this::builder))
                .start(YAML.formatted(NAMES));
        assertApart(
                context,
                name -> calls(context.getBean(name, RestClient.Builder.class).build()));
    }

    @Test
    void H35_namedClientsShareNoCallAlthoughTheApplicationHasOneInterceptor() throws Exception {
        ConfigurableApplicationContext context = new TestApplication()
                .with(beans(RestTemplate.class, this::template))
                .with(more -> more.registerBean(
                        CollapseHttpRequestInterceptor.class,
                        () -> new CollapseHttpRequestInterceptor(
                                HttpCollapseOptions.builder()
                                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/user/*")))
                                        .build(),
                                CollapseOptions.defaults())))
                .start(YAML.formatted(NAMES));
        assertApart(context, name -> calls(context.getBean(name, RestTemplate.class)));
    }

    @Test
    void H35_clientsOfOneNamedBuilderShareNoCall() throws Exception {
        try (ConfigurableApplicationContext context = new TestApplication()
                .with(more -> more.registerBean("shared", RestClient.Builder.class, () -> RestClient.builder()))
                .start(YAML.formatted("shared"))) {
            RestClient.Builder shared = context.getBean("shared", RestClient.Builder.class);
            for (ClientIdentity identity : ClientIdentity.all()) {
                servers.assertApart(
                        identity,
                        calls(make(shared.clone(), identity, ONE).build()),
                        calls(make(shared.clone(), identity, TWO).build()));
            }
        }
    }

    @Test
    void H35_clientThatWasDerivedFromANamedOneSharesNoCallWithIt() throws Exception {
        ConfigurableApplicationContext context = new TestApplication()
                .with(beans(
                        RestClient.class,
                        (identity, user) -> builder(identity, user).build()))
                .start(YAML.formatted(NAMES));
        try (context) {
            for (ClientIdentity identity : ClientIdentity.all()) {
                RestClient one = context.getBean(identity.name() + ONE, RestClient.class);
                RestClient.Builder derived = one.mutate().requestFactory(identity.transport(servers, TWO));
                derived.requestInterceptors(interceptors -> {
                    interceptors.removeIf(other -> !(other instanceof CollapseHttpRequestInterceptor));
                    interceptors.addAll(0, identity.interceptors().apply(TWO));
                });
                identity.initializers().apply(TWO).forEach(derived::requestInitializer);
                servers.assertApart(identity, calls(one), calls(derived.build()));
            }
        }
    }

    @Test
    void H35_clientsOfTwoInjectionPointsShareNoCall() throws Exception {
        ConfigurableApplicationContext context = new TestApplication().start(YAML.formatted(""));
        assertApart(context, name -> {
            RestTemplate template = template(identityOf(name), userOf(name));
            template.getInterceptors().add(context.getBean(CollapseHttpRequestInterceptor.class));
            return calls(template);
        });
    }

    @Test
    void H35_clientsOfOneInjectionPointShareNoCall() throws Exception {
        ConfigurableApplicationContext context = new TestApplication().start(YAML.formatted(""));
        CollapseHttpRequestInterceptor injected = context.getBean(CollapseHttpRequestInterceptor.class);
        assertApart(
                context,
                name -> calls(builder(identityOf(name), userOf(name))
                        .requestInterceptor(injected)
                        .build()));
    }

    @Test
    void H35_clientsWithARequestFactoryOfTheConfiguredOptionsShareNoCall() throws Exception {
        ConfigurableApplicationContext context = new TestApplication().start(YAML.formatted(""));
        CollapseHttpRequestInterceptor injected = context.getBean(CollapseHttpRequestInterceptor.class);
        assertApart(context, name -> {
            ClientIdentity identity = identityOf(name);
            String user = userOf(name);
            return calls(identity.template(injected.requestFactory(identity.transport(servers, user)), user));
        });
    }

    /** One customizer of the application's own adds one interceptor to every client that Boot builds. */
    @Test
    void H35_clientsOfBootsBuildersShareNoCall() throws Exception {
        ConfigurableApplicationContext context = new TestApplication()
                .with(more -> registerCustomizer(more, "RestClientCustomizer"))
                .start(YAML.formatted(""));
        assertApart(
                context,
                name -> calls(make(context.getBean(RestClient.Builder.class), identityOf(name), userOf(name))
                        .requestInterceptors(SeveralNamedClientsTests::collapseLast)
                        .build()));
    }

    @Test
    void H35_templatesOfBootsCustomizersShareNoCall() throws Exception {
        ConfigurableApplicationContext context = new TestApplication()
                .with(more -> registerCustomizer(more, "RestTemplateCustomizer"))
                .start(YAML.formatted(""));
        Object customizer = context.getBean("customizer");
        assertApart(context, name -> {
            RestTemplate template = template(identityOf(name), userOf(name));
            customize(customizer, template);
            return calls(template);
        });
    }

    private static void collapseLast(List<ClientHttpRequestInterceptor> interceptors) {
        interceptors.sort((one, other) -> Boolean.compare(
                one instanceof CollapseHttpRequestInterceptor, other instanceof CollapseHttpRequestInterceptor));
    }

    /** The interface is in another package in each generation of Boot. */
    private static void registerCustomizer(GenericApplicationContext context, String simpleName) {
        registerCustomizer(context, customizerType(simpleName));
    }

    private static <T> void registerCustomizer(GenericApplicationContext context, Class<T> type) {
        context.registerBean("customizer", type, () -> {
            CollapseHttpRequestInterceptor injected = context.getBean(CollapseHttpRequestInterceptor.class);
            Object customizer =
                    Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        if (method.getName().equals("customize")) {
                            if (arguments[0] instanceof RestTemplate template) {
                                template.getInterceptors().add(injected);
                            } else {
                                ((RestClient.Builder) arguments[0]).requestInterceptor(injected);
                            }
                            return null;
                        }
                        return method.getName().equals("hashCode")
                                ? (Object) System.identityHashCode(proxy)
                                : method.getName().equals("equals") ? proxy == arguments[0] : "customizer";
                    });
            return type.cast(customizer);
        });
    }

    private static Class<?> customizerType(String simpleName) {
        ClassLoader loader = SeveralNamedClientsTests.class.getClassLoader();
        return Stream.of("org.springframework.boot.restclient.", "org.springframework.boot.web.client.")
                .filter(name -> ClassUtils.isPresent(name + simpleName, loader))
                .map(name -> ClassUtils.resolveClassName(name + simpleName, loader))
                .findFirst()
                .orElseThrow();
    }

    private static void customize(Object customizer, RestTemplate template) {
        Method customize =
                ReflectionUtils.findMethod(customizerType("RestTemplateCustomizer"), "customize", RestTemplate.class);
        ReflectionUtils.invokeMethod(Objects.requireNonNull(customize), customizer, template);
    }

    private static ClientIdentity identityOf(String name) {
        return ClientIdentity.all().stream()
                .filter(identity -> name.startsWith(identity.name()))
                .max((one, other) ->
                        Integer.compare(one.name().length(), other.name().length()))
                .orElseThrow();
    }

    private static String userOf(String name) {
        return Objects.equals(name.substring(name.length() - 3), ONE) ? ONE : TWO;
    }
}

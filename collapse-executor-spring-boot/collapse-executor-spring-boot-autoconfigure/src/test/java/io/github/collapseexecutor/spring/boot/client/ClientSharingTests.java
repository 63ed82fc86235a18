package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ClusterRedis;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.collapseexecutor.spring.boot.cluster.SharingCheck;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** Which clients of an application share responses with other instances, with a real Redis: applications that share nothing else. */
@ExtendWith(OutputCaptureExtension.class)
class ClientSharingTests extends OriginFixture {

    private static final String YAML = """
            spring.data.redis.port: %d
            collapse.executor:
              cluster:
                secret: a secret of the tests
                prefix: clients
                max-delay: 10s
                lease: 20s
                max-wait: 20s
              rest-template:
                cluster: true
                apply-bean-names: one, two, restClient, builder, several
                collapse-groups:
                  - uris: /**
              web-client:
                cluster: true
                apply-bean-names: reactive, filtered, reactiveBuilder
                collapse-groups:
                  - uris: /**
            """;

    private static final String NAMES = "one, two, restClient, builder, several";

    private static ClusterRedis redis;

    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    @BeforeAll
    static void startRedis() throws IOException {
        redis = new ClusterRedis();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.close();
    }

    @Override
    @AfterEach
    protected void close() throws IOException {
        contexts.forEach(ConfigurableApplicationContext::close);
        super.close();
    }

    private static String yaml() {
        return YAML.formatted(redis.port());
    }

    private ConfigurableApplicationContext start(String yaml, Class<?>... more) {
        ConfigurableApplicationContext context =
                new TestApplication().with(Clients.class).with(more).start(yaml);
        contexts.add(context);
        redis.commands().flushall();
        return context;
    }

    private static Set<String> hashes(ConfigurableApplicationContext context) {
        return context.getBean(StringRedisTemplate.class).keys("clients:2:*");
    }

    private void get(ConfigurableApplicationContext context, String bean) {
        get(context.getBean(bean), "/a");
    }

    private void get(Object client, String target) {
        String body;
        if (client instanceof RestTemplate template) {
            body = template.getForObject(origin.uri(target), String.class);
        } else if (client instanceof RestClient restClient) {
            body = restClient.get().uri(origin.uri(target)).retrieve().body(String.class);
        } else {
            body = ((WebClient) client)
                    .get()
                    .uri(origin.uri(target))
                    .retrieve()
                    .bodyToMono(String.class)
                    .block();
        }
        assertThat(body).isEqualTo(target);
    }

    private static long led(ConfigurableApplicationContext context) {
        return context.getBean(ClusterCalls.class).counts().led();
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "restClient", "reactive", "filtered"})
    void beansOfOneNameAskForOneKeyAndOthersForOthers(String name) {
        ConfigurableApplicationContext first = start(yaml());
        ConfigurableApplicationContext second = start(yaml());
        get(first, name);
        get(second, name);
        assertThat(hashes(first)).hasSize(1);
        get(second, "two");
        assertThat(hashes(first)).hasSize(2);
        assertThat(led(first)).isEqualTo(1);
        assertThat(led(second)).isEqualTo(2);
    }

    @Test
    void applicationsOfOtherNamesAskForOtherKeys() {
        ConfigurableApplicationContext first = start("spring.application.name: orders\n" + yaml());
        ConfigurableApplicationContext second = start("spring.application.name: users\n" + yaml());
        get(first, "one");
        get(second, "one");
        assertThat(hashes(first)).hasSize(2);
    }

    @Test
    void H35_aClientWithoutANameOfItsOwnSharesNothingAndTheLogSaysWhy(CapturedOutput output) {
        ConfigurableApplicationContext context = start(yaml());
        get(context.getBean("builder", RestClient.Builder.class).build(), "/a");
        get(context.getBean("reactiveBuilder", WebClient.Builder.class).build(), "/a");
        get(context, "several");
        get(context, "injected");
        get(context, "injectedFilter");
        assertThat(origin.requests()).hasSize(5);
        assertThat(led(context)).isZero();
        assertThat(output)
                .contains("rest-template.cluster has no effect on the bean builder: a builder may build several")
                .contains("web-client.cluster has no effect on the bean reactiveBuilder: a builder may build several")
                .contains("rest-template.cluster has no effect on the bean several: it is no singleton")
                .contains("cluster.http(");
    }

    /** The proxy in front is a singleton, its instances are not. */
    @Test
    void H35_theInstancesOfAScopeShareNothing(CapturedOutput output) {
        ConfigurableApplicationContext context = start(
                yaml().replace(NAMES, "scoped").replace("reactive, filtered, reactiveBuilder", "reactive"),
                Scoped.class);
        get(context.getBean("scoped", RestTemplate.class), "/a");
        assertThat(led(context)).isZero();
        assertThat(output).contains("rest-template.cluster has no effect on the bean scoped: it is no singleton");
    }

    /** Another instance may name it otherwise. */
    @Test
    void aClientThatIsNamedByAnAliasSharesByItsName() {
        ConfigurableApplicationContext first = start(yaml().replace(NAMES, "alias"), Aliased.class);
        ConfigurableApplicationContext second = start(yaml().replace(NAMES, "aliased"), Aliased.class);
        get(first, "aliased");
        get(second, "alias");
        assertThat(hashes(first)).hasSize(1);
    }

    @Test
    void H35_aChildContextMayHaveAClientOfTheSameNameAsAnother(CapturedOutput output) {
        ConfigurableApplicationContext context = start(yaml());
        CollapseExecutorProperties properties = context.getBean(CollapseExecutorProperties.class);
        DefaultListableBeanFactory child = new DefaultListableBeanFactory(context.getBeanFactory());
        child.registerSingleton("one", new RestTemplate());
        ClientSharing ofChild = new ClientSharing(
                SectionClients.ofRestTemplate(properties), context.getBean(SharingCheck.class), child);
        assertThat(ofChild.ofClient("one")).isNull();
        assertThat(output).contains("rest-template.cluster has no effect on the bean one: its context has a parent");
    }

    @Test
    void H35_aGroupOfHttpServicesHasAnotherNameThanABeanThatIsCalledLikeIt() {
        ConfigurableApplicationContext context = start(yaml());
        ClientSharing clients = new ClientSharing(
                SectionClients.ofRestTemplate(context.getBean(CollapseExecutorProperties.class)),
                context.getBean(SharingCheck.class),
                context.getBeanFactory());
        CollapseHttpRequestInterceptor collapsing = context.getBean(CollapseHttpRequestInterceptor.class);
        for (OtherInstances instances : Arrays.asList(clients.ofClient("one"), clients.ofServiceGroup("one"))) {
            get(
                    RestClient.builder()
                            .requestInterceptor(collapsing.forAnotherClient(instances))
                            .build(),
                    "/a");
        }
        assertThat(hashes(context)).hasSize(2);
        assertThat(led(context)).isEqualTo(2);
    }

    @Test
    void anInjectedAdapterSharesByTheNameThatItIsGivenInCode() {
        ConfigurableApplicationContext context = start(yaml(), ClientsOfCode.class);
        get(context, "namedInCode");
        get(context, "filterNamedInCode");
        assertThat(hashes(context)).hasSize(2);
        assertThat(led(context)).isEqualTo(2);
    }

    @Test
    void aGroupMayStayWithinTheInstance() {
        ConfigurableApplicationContext context =
                start(yaml().replace("- uris: /**", "- uris: /within/**\n        cluster: false\n      - uris: /**"));
        get(context.getBean("one"), "/within/a");
        get(context.getBean("reactive"), "/within/a");
        assertThat(led(context)).isZero();
        get(context.getBean("one"), "/a");
        get(context.getBean("reactive"), "/a");
        assertThat(led(context)).isEqualTo(2);
    }

    @Test
    void aGroupAloneMayShare() {
        ConfigurableApplicationContext context = start(yaml().replace("    cluster: true\n", "")
                .replace("- uris: /**", "- uris: /shared/**\n        cluster: true\n      - uris: /**"));
        get(context.getBean("one"), "/a");
        assertThat(led(context)).isZero();
        get(context.getBean("one"), "/shared/a");
        get(context.getBean("reactive"), "/shared/a");
        assertThat(led(context)).isEqualTo(2);
    }

    static Stream<Arguments> servers() {
        return Stream.of(
                Arguments.of("servlet", new TestApplication().withServer()),
                Arguments.of("webflux", new TestApplication().withReactiveServer()));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aGroupOfTheServerIsRefused(String section, TestApplication server) {
        assertThat(server.failure("collapse.executor." + section + ".collapse-groups: [{uris: /**, cluster: true}]"))
                .contains("Property: collapse.executor." + section + ".collapse-groups[0].cluster")
                .contains("only clients share responses", "rest-template.collapse-groups");
    }

    @Test
    void switchedOffNothingIsShared() {
        ConfigurableApplicationContext context =
                start(yaml().replace("  cluster:\n", "  cluster:\n    enabled: false\n"));
        get(context, "one");
        get(context, "reactive");
        assertThat(hashes(context)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rest-template", "web-client"})
    void withoutNamedBeansTheRemedyIsNamed(String section) {
        assertThat(new TestApplication().failure("""
                spring.data.redis.port: %d
                collapse.executor:
                  cluster.secret: a secret of the tests
                  cluster.prefix: clients
                  %s:
                    cluster: true
                """.formatted(redis.port(), section)))
                .contains("Property: collapse.executor." + section + ".cluster")
                .contains(
                        "only clients that apply-bean-names or apply-http-service-groups names share", "cluster.http(");
    }

    @Test
    void withoutASecretTheStartIsRefused() {
        assertThat(new TestApplication()
                        .with(Clients.class)
                        .failure(yaml().replace("secret: a secret of the tests", "# no secret")
                                .replace(NAMES, "one")))
                .contains("Property: collapse.executor.cluster.secret")
                .contains("collapse.executor.rest-template.cluster needs it");
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestTemplate one() {
            return new RestTemplate();
        }

        @Bean
        RestTemplate two() {
            return new RestTemplate();
        }

        @Bean
        @Scope("prototype")
        RestTemplate several() {
            return new RestTemplate();
        }

        @Bean
        RestClient restClient() {
            return RestClient.create();
        }

        @Bean
        RestClient.Builder builder() {
            return RestClient.builder();
        }

        @Bean
        RestTemplate injected(CollapseHttpRequestInterceptor collapsing) {
            return collapsing(collapsing);
        }

        @Bean
        WebClient reactive() {
            return WebClient.builder()
                    .clientConnector(new JdkClientHttpConnector())
                    .build();
        }

        @Bean
        WebClient filtered() {
            return WebClient.create();
        }

        @Bean
        WebClient.Builder reactiveBuilder() {
            return WebClient.builder();
        }

        @Bean
        WebClient injectedFilter(CollapseExchangeFilterFunction collapsing) {
            return WebClient.builder().filter(collapsing).build();
        }

        static RestTemplate collapsing(CollapseHttpRequestInterceptor collapsing) {
            RestTemplate template = new RestTemplate();
            template.setInterceptors(List.of(collapsing));
            return template;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {

        @Bean
        static CustomScopeConfigurer scopes() {
            CustomScopeConfigurer scopes = new CustomScopeConfigurer();
            scopes.addScope("thread", new SimpleThreadScope());
            return scopes;
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        RestTemplate scoped() {
            return new RestTemplate();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Aliased {

        @Bean({"aliased", "alias"})
        RestTemplate aliased() {
            return new RestTemplate();
        }
    }

    /** Clients that are named in code, which needs the bean that shares. */
    @Configuration(proxyBeanMethods = false)
    static class ClientsOfCode {

        @Bean
        RestTemplate namedInCode(CollapseHttpRequestInterceptor collapsing, ClusterCalls cluster) {
            return Clients.collapsing(collapsing.forAnotherClient(cluster.http("in code")));
        }

        @Bean
        WebClient filterNamedInCode(CollapseExchangeFilterFunction collapsing, ClusterCalls cluster) {
            return WebClient.builder()
                    .filter(collapsing.forAnotherClient(cluster.http("filter in code")))
                    .build();
        }
    }
}

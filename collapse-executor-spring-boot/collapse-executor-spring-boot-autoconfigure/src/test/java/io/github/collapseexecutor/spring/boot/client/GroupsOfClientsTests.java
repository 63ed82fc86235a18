package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** Groups that name clients hold for those and for no other. */
@ExtendWith(OutputCaptureExtension.class)
class GroupsOfClientsTests {

    private static final int CALLERS = 4;

    private static final String YAML = """
            collapse.executor:
              join: in-flight
              max-wait: 10m
              rest-template:
                apply-bean-names: general
                collapse-groups:
                  - uris: /user/*
                    apply-bean-names: users
                  - uris: [/stock/*, /user/8]
                    apply-bean-names: [stock, users]
                  - uris: /depot/*
                    apply-bean-names: depot
                  - uris: /catalogue/*
              web-client:
                collapse-groups:
                  - uris: /user/*
                    apply-bean-names: webClient
            """;

    private static ScriptedOrigin origin;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() throws IOException {
        origin = ScriptedOrigin.start();
        origin.answer(request -> OriginReply.ok(request.target()));
        application = new TestApplication().alone().with(Clients.class).start(YAML);
    }

    @AfterAll
    static void stop() throws IOException {
        application.close();
        origin.close();
    }

    /** How many calls get to the origin of so many callers of one client. */
    @ParameterizedTest
    @CsvSource({
        "users, /user/7, 1",
        "users, /user/8, 1",
        "users, /stock/7, 1",
        "users, /catalogue/7, 4",
        "stock, /stock/7, 1",
        "stock, /depot/7, 1",
        "stock, /user/8, 1",
        "stock, /user/7, 4",
        "stock, /catalogue/7, 4",
        "general, /catalogue/7, 1",
        "general, /user/7, 4",
        "general, /stock/7, 4",
        "injected, /catalogue/7, 1",
        "injected, /user/7, 4",
        "reactive, /user/7, 1",
        "reactive, /stock/7, 4",
    })
    void aGroupHoldsForTheClientsThatItNamesOnly(String client, String path, int calls) throws Exception {
        int before = origin.requests().size();
        Hold hold = origin.hold();
        Callable<String> call =
                callOf(application.getBean(client), origin.uri(path).toString());
        List<FutureTask<String>> callers =
                Stream.generate(() -> new FutureTask<>(call)).limit(CALLERS).toList();
        callers.forEach(caller -> new Thread(caller).start());
        hold.await(calls);
        if (calls == 1) {
            HttpCollapseControl control = application
                    .getBean(HttpSections.class)
                    .find(client.equals("reactive") ? "web-client" : "rest-template")
                    .control();
            await().until(() -> control.counts().callers() == CALLERS);
        }
        origin.holdNoMore();
        hold.release();
        for (FutureTask<String> caller : callers) {
            assertThat(caller.get(30, TimeUnit.SECONDS)).isEqualTo(path);
        }
        assertThat(origin.requests()).hasSize(before + calls);
    }

    private static Callable<String> callOf(Object client, String uri) {
        if (client instanceof RestTemplate template) {
            return () -> String.valueOf(template.getForObject(uri, String.class));
        }
        if (client instanceof RestClient restClient) {
            return () -> String.valueOf(restClient.get().uri(uri).retrieve().body(String.class));
        }
        return () -> String.valueOf(((WebClient) client)
                .get()
                .uri(uri)
                .retrieve()
                .bodyToMono(String.class)
                .block());
    }

    @Test
    void theLogSaysWhichGroupHoldsForWhom(CapturedOutput output) {
        new TestApplication()
                .alone()
                .with(Clients.class)
                .arguments("--logging.level.io.github.collapseexecutor=info")
                .start(YAML)
                .close();
        assertThat(output)
                .contains("rest-template: general, users, stock, depot collapse /user/* (strict, only users),"
                        + " /stock/* and /user/8 (strict, only stock and users), /depot/* (strict, only depot),"
                        + " /catalogue/* (strict), in-flight")
                .contains("web-client: webClient collapses /user/* (strict, only webClient), in-flight");
        assertThat(output.getAll()).doesNotContain("WARN");
    }

    @Test
    void theExampleOfThePageHoldsForTheClientsThatItSays(CapturedOutput output) {
        new TestApplication()
                .alone()
                .with(OfThePage.class)
                .arguments("--logging.level.io.github.collapseexecutor=info")
                .startFrom("classpath:groups-of-one-client.yaml")
                .close();
        assertThat(output)
                .contains("rest-template: catalogueClient, userClient collapse /user/* (strict, only userClient),"
                        + " /catalogue/** (strict), fresh");
        assertThat(output.getAll()).doesNotContain("WARN");
    }

    @Test
    void anEarlierGroupOfOtherClientsHidesNothing(CapturedOutput output) {
        new TestApplication().alone().with(Clients.class).start("""
                collapse.executor.rest-template:
                  collapse-groups:
                    - uris: /user/*
                      apply-bean-names: users
                    - uris: /user/7
                      apply-bean-names: stock
                    - uris: /user/8
                      apply-bean-names: users
                """).close();
        assertThat(output)
                .contains(
                        "collapse-groups[2] never decides about /user/8: collapse.executor.rest-template.collapse-groups[0]")
                .doesNotContain("collapse-groups[1] never decides");
    }

    @Test
    void aGroupThatNobodyUsesIsReportedThoughOthersAreUsed(CapturedOutput output) {
        new TestApplication().alone().with(NamedOnly.class).start("""
                collapse.executor.rest-template:
                  collapse-groups:
                    - uris: /user/*
                      apply-bean-names: users
                    - uris: /stock/*
                """).close();
        assertThat(output)
                .contains(
                        "No client uses collapse.executor.rest-template.collapse-groups[1]: it names none, and neither does"
                                + " collapse.executor.rest-template. Name its clients in"
                                + " collapse.executor.rest-template.collapse-groups[1].apply-bean-names");
    }

    @Test
    void aNameThatIsNoBeansStopsTheStart() {
        assertThat(new TestApplication().alone().with(Clients.class).failure("""
                        collapse.executor.rest-template.collapse-groups:
                          - uris: /stock/*
                            apply-bean-names: stok
                        """))
                .contains("Property: collapse.executor.rest-template.collapse-groups[0].apply-bean-names[0]\n")
                .contains("Reason: there is no bean of this name; did you mean stock?");
    }

    @ParameterizedTest
    @CsvSource({"servlet, apply-bean-names", "webflux, apply-http-service-groups"})
    void aServerHasNoClients(String section, String key) {
        String group = "collapse.executor." + section + ".collapse-groups[0]";
        TestApplication application = new TestApplication();
        assertThat((section.equals("servlet") ? application.withServer() : application.withReactiveServer())
                        .failure(group + ".uris: /user/*\n" + group + "." + key + ": users"))
                .contains("Property: " + group + "." + key + "\n    Value: \"users\"\n")
                .contains("Reason: a server has no clients of its own to name");
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestTemplate users() {
            return new RestTemplate();
        }

        @Bean({"stock", "depot"})
        RestClient stock() {
            return RestClient.create();
        }

        @Bean
        RestTemplate general() {
            return new RestTemplate();
        }

        @Bean
        @Lazy
        RestClient injected(CollapseHttpRequestInterceptor collapsing) {
            return RestClient.builder().requestInterceptor(collapsing).build();
        }

        @Bean({"reactive", "webClient"})
        WebClient reactive() {
            return WebClient.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfThePage {

        @Bean
        RestClient userClient() {
            return RestClient.create();
        }

        @Bean
        RestClient catalogueClient() {
            return RestClient.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamedOnly {

        @Bean
        RestTemplate users() {
            return new RestTemplate();
        }
    }
}

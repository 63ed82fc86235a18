package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.WebClient;

/** The filter that an application adds to its WebClient, as the YAML configures it. */
class WebClientConfigurationTests extends OriginFixture {

    private static final int CALLERS = 5;

    @ParameterizedTest
    @CsvSource({
        "true, true, /user/1, 1",
        "true, true, /article/1, 5",
        "false, true, /user/1, 5",
        "true, false, /user/1, 5",
    })
    void requestsThatTheGroupsMatchCollapseUnlessASwitchIsOff(boolean all, boolean section, String path, int calls)
            throws Exception {
        try (ConfigurableApplicationContext context = new TestApplication()
                .with(Clients.class)
                .arguments(
                        "--collapse.executor.enabled=" + all,
                        "--collapse.executor.join=in-flight",
                        "--collapse.executor.max-wait=10m",
                        "--collapse.executor.web-client.enabled=" + section,
                        "--collapse.executor.web-client.cache-status=here",
                        "--collapse.executor.web-client.collapse-groups[0].uris=/user/*")
                .start("")) {
            WebClient client = context.getBean(WebClient.class);
            Hold hold = origin.hold();
            List<CompletableFuture<HttpHeaders>> answers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                answers.add(client.get()
                        .uri(origin.uri(path))
                        .retrieve()
                        .toBodilessEntity()
                        .map(answer -> answer.getHeaders())
                        .toFuture());
            }
            hold.await(calls);
            hold.release();
            int collapsed = 0;
            for (CompletableFuture<HttpHeaders> answer : answers) {
                String status = answer.get(30, TimeUnit.SECONDS).getFirst("Cache-Status");
                collapsed += "here; fwd=uri-miss; collapsed".equals(status) ? 1 : 0;
            }
            assertThat(origin.requests()).hasSize(calls);
            assertThat(collapsed).isEqualTo(CALLERS - calls);
        }
    }

    @Test
    void aFilterOfTheApplicationsOwnTakesItsPlace() {
        try (ConfigurableApplicationContext context =
                new TestApplication().with(OwnFilter.class).start("")) {
            assertThat(context.getBean(CollapseExchangeFilterFunction.class)).isSameAs(OwnFilter.FILTER);
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void H34_aPolicyOfWebClientThatSharesAcrossUsersIsLogged(CapturedOutput output) {
        new TestApplication().start("""
                collapse.executor.web-client:
                  collapse-policies:
                    public:
                      share-across-users: true
                  collapse-groups:
                    - collapse-policy-name: public
                      uris: /news/*
                """).close();
        assertThat(output.getAll())
                .containsOnlyOnce("Policy public of collapse.executor.web-client shares across users");
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        WebClient webClient(CollapseExchangeFilterFunction collapsing) {
            return WebClient.builder().filter(collapsing).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFilter {

        static final CollapseExchangeFilterFunction FILTER =
                new CollapseExchangeFilterFunction(HttpCollapseOptions.builder().build(), CollapseOptions.defaults());

        @Bean
        CollapseExchangeFilterFunction own() {
            return FILTER;
        }
    }
}

package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.Warnings;
import io.github.collapseexecutor.http.reactive.CollapseClientHttpConnector;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeFunctions;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.util.context.Context;

/** Which WebClient beans {@code apply-bean-names} reaches, and that two clients of one application never share a call. */
class NamedWebClientsTests extends OriginFixture {

    private static final int ROUNDS = 100;
    private static final int CALLERS = 50;

    /** Adds the user of the Reactor context. */
    private static final ExchangeFilterFunction TOKEN =
            (request, next) -> Mono.deferContextual(context -> next.exchange(ClientRequest.from(request)
                    .header("X-User", context.<String>get("user"))
                    .build()));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class))
            .withPropertyValues(
                    "collapse.executor.join=in-flight",
                    "collapse.executor.max-wait=10m",
                    "collapse.executor.web-client.collapse-groups[0].uris=/user/*")
            .withUserConfiguration(Clients.class);

    // mutable, confined to the test
    private Warnings warnings;

    @Override
    @BeforeEach
    protected void open() throws IOException {
        super.open();
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("X-User"))));
        warnings = new Warnings();
    }

    @Override
    @AfterEach
    protected void close() throws IOException {
        warnings.close();
        super.close();
    }

    private static String named(String names) {
        return "collapse.executor.web-client.apply-bean-names=" + names;
    }

    @Test
    void H35_namedBeansCollapseBelowTheirFiltersByAConnectorOfTheirOwn_andClientsOfABuilderByThatOfTheBuilder() {
        runner.withPropertyValues(named("one,two,builder,byHand"))
                .withUserConfiguration(ByHand.class)
                .run(context -> {
                    WebClient.Builder builder = context.getBean("builder", WebClient.Builder.class)
                            .clientConnector(new ReactorClientHttpConnector());
                    List<WebClient> clients = List.of(
                            context.getBean("one", WebClient.class),
                            context.getBean("two", WebClient.class),
                            context.getBean("byHand", WebClient.class),
                            builder.filter(TOKEN).build(),
                            builder.clientConnector(new ReactorClientHttpConnector())
                                    .build(),
                            context.getBean("builder", WebClient.Builder.class).build(),
                            context.getBean("builder", WebClient.Builder.class).build());
                    assertThat(connectorOf(builder.build()))
                            .isSameAs(connectorOf(builder.clone().build()));
                    assertThat(clients)
                            .flatExtracting(client -> filters(client))
                            .noneMatch(CollapseExchangeFilterFunction.class::isInstance);
                    assertThat(clients)
                            .extracting(client -> connectorOf(client))
                            .doesNotHaveDuplicates()
                            .hasOnlyElementsOfType(CollapseClientHttpConnector.class);
                });
    }

    @Test
    void H35_namedBeansWithoutAConnectorGetAFilterOfTheirOwnAsTheirLastOne() {
        runner.withPropertyValues(named("builder,plain,withoutConnector"))
                .withUserConfiguration(WithoutConnector.class)
                .run(context -> {
                    ExchangeFunction own = ExchangeFunctions.create(new ReactorClientHttpConnector());
                    WebClient.Builder builder =
                            context.getBean("builder", WebClient.Builder.class).exchangeFunction(own);
                    List<ExchangeFilterFunction> last = new ArrayList<>();
                    for (WebClient client : List.of(
                            context.getBean("plain", WebClient.class),
                            context.getBean("withoutConnector", WebClient.class),
                            builder.filter(TOKEN).build(),
                            builder.build(),
                            builder.clone().build())) {
                        List<ExchangeFilterFunction> filters = filters(client);
                        last.add(filters.get(filters.size() - 1));
                        assertThat(filters)
                                .filteredOn(CollapseExchangeFilterFunction.class::isInstance)
                                .hasSize(1);
                    }
                    assertThat(last)
                            .doesNotHaveDuplicates()
                            .hasOnlyElementsOfType(CollapseExchangeFilterFunction.class);
                });
    }

    @Test
    void aCollapsingConnectorThatTheApplicationHasSetStays() {
        runner.withPropertyValues(named("prepared"))
                .withUserConfiguration(OwnConnector.class)
                .run(context -> assertThat(connectorOf(context.getBean("prepared", WebClient.class)))
                        .isSameAs(context.getBean(CollapseClientHttpConnector.class)));
    }

    @Test
    void otherBeansAreLeftAsTheyAre() {
        runner.withPropertyValues(named("one")).run(context -> {
            WebClient built =
                    context.getBean("builder", WebClient.Builder.class).build();
            assertThat(CollapsingWebClients.isIn(context.getBean("one", WebClient.class)))
                    .isTrue();
            assertThat(CollapsingWebClients.isIn(context.getBean("two", WebClient.class)))
                    .isFalse();
            assertThat(CollapsingWebClients.isIn(built)).isFalse();
        });
    }

    @Test
    void switchedOffNothingIsAppliedAndNothingIsMissing() {
        for (String property : List.of("collapse.executor.enabled", "collapse.executor.web-client.enabled")) {
            runner.withPropertyValues(named("one,none"), property + "=false").run(context -> {
                assertThat(context).hasSingleBean(CollapseExchangeFilterFunction.class);
                assertThat(CollapsingWebClients.isIn(context.getBean("one", WebClient.class)))
                        .isFalse();
            });
        }
    }

    @Test
    void aFilterOfTheApplicationsOwnGivesItsOptions() {
        runner.withPropertyValues(named("one"))
                .withUserConfiguration(OwnFilter.class)
                .run(context -> assertThat(connectorOf(context.getBean("one", WebClient.class)))
                        .isInstanceOf(CollapseClientHttpConnector.class));
    }

    @Test
    void aNameOfNoBeanStopsTheStart() {
        runner.withPropertyValues(named("buildr"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(
                                "web-client.apply-bean-names[0], value \"buildr\": there is no bean of this"
                                        + " name; did you mean builder? Name a bean of type WebClient or WebClient.Builder;"
                                        + " this application has one, two, builder."));
    }

    @Test
    void aBeanOfAnotherTypeStopsTheStart() {
        runner.withPropertyValues(named("one,text"))
                .withBean("text", String.class, () -> "text")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(
                                "web-client.apply-bean-names[1], value \"text\": the bean of this name is a"
                                        + " java.lang.String"));
    }

    @Test
    void aClientThatWasCreatedTooEarlyStopsTheStart() {
        runner.withPropertyValues(named("one"))
                .withUserConfiguration(EarlyClient.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("apply-bean-names[0], value \"one\": the bean of this name was created"));
    }

    @Test
    void H35_theFilterBeanIsAnotherOneForEachInjectionPoint() {
        runner.run(context -> assertThat(context.getBean(CollapseExchangeFilterFunction.class))
                .isNotSameAs(context.getBean(CollapseExchangeFilterFunction.class)));
    }

    @Test
    void H35_namedClientsAreKeptApart() {
        runner.withPropertyValues(named("one,two"))
                .run(context -> everybodyGetsTheirOwn(context, List.of("one", "two")));
    }

    @Test
    void H35_clientsOfTwoInjectionPointsAreKeptApart() {
        runner.withUserConfiguration(ByHand.class)
                .run(context -> everybodyGetsTheirOwn(context, List.of("byHand", "alsoByHand")));
    }

    /** The filter that adds the user comes behind the collapsing one, because the builder had that already. */
    @Test
    void H36_aFilterThatIsAddedBehindTheCollapsingOneKeepsRequestsApart() throws Exception {
        runner.withPropertyValues(named("plain"))
                .withUserConfiguration(WithoutConnector.class)
                .run(context -> {
                    WebClient client = context.getBean("plain", WebClient.class)
                            .mutate()
                            .filter(TOKEN)
                            .build();
                    everybodyGetsTheirOwn(client, client);
                    assertThat(warnings.messages()).singleElement().asString().contains("as the last filter");
                });
    }

    /** It may replace the request of which the filter has made the key. */
    @Test
    void H36_anExchangeFunctionOfTheApplicationKeepsRequestsApart() throws Exception {
        runner.withPropertyValues(named("byFunction"))
                .withUserConfiguration(OwnExchangeFunction.class)
                .run(context -> {
                    WebClient client = context.getBean("byFunction", WebClient.class);
                    assertThat(everybodyGetsTheirOwn(client, client)).isEqualTo(ROUNDS * CALLERS);
                    assertThat(warnings.messages())
                            .singleElement()
                            .asString()
                            .contains("has an exchange function that is not Spring's");
                });
    }

    @Test
    void H36_aFilterThatIsAddedAboveTheCollapsingConnectorIsInTheKey() throws Exception {
        runner.withPropertyValues(named("withConnector"))
                .withUserConfiguration(WithConnector.class)
                .run(context -> {
                    WebClient client = context.getBean("withConnector", WebClient.class)
                            .mutate()
                            .filter(TOKEN)
                            .build();
                    assertThat(everybodyGetsTheirOwn(client, client)).isEqualTo(2 * ROUNDS);
                    assertThat(warnings.messages()).isEmpty();
                });
    }

    /** Many applications build a client for each request, as the documentation of Spring Cloud's load balancer does. */
    @Test
    void clientsThatABuilderBuildsForEachRequestShareACall() {
        runner.withPropertyValues(named("builder")).run(context -> {
            WebClient.Builder builder = context.getBean("builder", WebClient.Builder.class);
            Hold hold = origin.hold();
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                WebClient.Builder own = i % 2 == 0 ? builder.clone().filter(TOKEN) : builder;
                answers.add(own.build()
                        .get()
                        .uri(origin.uri("/user/1"))
                        .retrieve()
                        .bodyToMono(String.class)
                        .contextWrite(Context.of("user", "one"))
                        .toFuture());
            }
            hold.release();
            for (int i = 0; i < CALLERS; i++) {
                assertThat(answers.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(i % 2 == 0 ? "one" : "null");
            }
            assertThat(origin.requests()).hasSize(2);
        });
    }

    /** What is added to a named builder comes before the collapsing filter, whenever it is added. */
    @Test
    void H36_aFilterOfANamedBuilderStandsInFront() {
        runner.withPropertyValues(named("builder")).run(context -> {
            WebClient client = context.getBean("builder", WebClient.Builder.class)
                    .filter(TOKEN)
                    .build();
            assertThat(everybodyGetsTheirOwn(client, client)).isEqualTo(2 * ROUNDS);
            assertThat(warnings.messages()).isEmpty();
        });
    }

    private void everybodyGetsTheirOwn(ApplicationContext context, List<String> names) throws Exception {
        assertThat(everybodyGetsTheirOwn(
                        context.getBean(names.get(0), WebClient.class), context.getBean(names.get(1), WebClient.class)))
                .isEqualTo(2 * ROUNDS);
    }

    /** Returns the number of calls. */
    private int everybodyGetsTheirOwn(WebClient one, WebClient two) throws Exception {
        List<String> wrong = new ArrayList<>();
        int before = origin.requests().size();
        for (int round = 0; round < ROUNDS; round++) {
            Hold hold = origin.hold();
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                answers.add((i % 2 == 0 ? one : two)
                        .get()
                        .uri(origin.uri("/user/1"))
                        .retrieve()
                        .bodyToMono(String.class)
                        .contextWrite(Context.of("user", i % 2 == 0 ? "one" : "two"))
                        .toFuture());
            }
            hold.release();
            for (int i = 0; i < CALLERS; i++) {
                String answer = answers.get(i).get(30, TimeUnit.SECONDS);
                if (!answer.equals(i % 2 == 0 ? "one" : "two")) {
                    wrong.add("round " + round + ", caller " + i + ": " + answer);
                }
            }
        }
        assertThat(wrong).isEmpty();
        return origin.requests().size() - before;
    }

    private static List<ExchangeFilterFunction> filters(WebClient client) {
        List<ExchangeFilterFunction> found = new ArrayList<>();
        client.mutate().filters(found::addAll);
        return found;
    }

    private static @Nullable Object connectorOf(WebClient client) {
        return ReflectionTestUtils.getField(client.mutate(), "connector");
    }

    /** A client that sends as a user, below every filter. */
    private static WebClient.Builder clientOf(String user) {
        return WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(
                        HttpClient.create().headers(headers -> headers.set("X-User", user))));
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        static WebClient one() {
            return clientOf("one").build();
        }

        @Bean
        static WebClient two() {
            return clientOf("two").build();
        }

        @Bean
        @Scope("prototype")
        WebClient.Builder builder() {
            return WebClient.builder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByHand {

        @Bean
        WebClient byHand(CollapseExchangeFilterFunction collapsing) {
            return clientOf("one").filter(collapsing).build();
        }

        @Bean
        WebClient alsoByHand(CollapseExchangeFilterFunction collapsing) {
            return clientOf("two").filter(collapsing).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutConnector {

        @Bean
        WebClient plain() {
            return WebClient.create();
        }

        /** One that sends by a function of the application's own: its connector, too, would not be asked. */
        @Bean
        WebClient withoutConnector() {
            return WebClient.builder()
                    .clientConnector(new ReactorClientHttpConnector())
                    .exchangeFunction(ExchangeFunctions.create(new ReactorClientHttpConnector()))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithConnector {

        @Bean
        WebClient withConnector() {
            return WebClient.builder()
                    .clientConnector(new ReactorClientHttpConnector())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnExchangeFunction {

        @Bean
        WebClient byFunction() {
            ExchangeFunction springs = ExchangeFunctions.create(new ReactorClientHttpConnector());
            return WebClient.builder()
                    .exchangeFunction(request -> TOKEN.filter(request, springs))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConnector {

        @Bean
        CollapseClientHttpConnector connector(CollapseExchangeFilterFunction collapsing) {
            return collapsing.around(new ReactorClientHttpConnector());
        }

        @Bean
        WebClient prepared(CollapseClientHttpConnector connector) {
            return WebClient.builder().clientConnector(connector).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFilter {

        @Bean
        CollapseExchangeFilterFunction own() {
            return new CollapseExchangeFilterFunction(
                    HttpCollapseOptions.builder().build(), CollapseOptions.defaults());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyClient {

        @Bean
        static Early early(ApplicationContext context) {
            return new Early(context.getBean("one", WebClient.class));
        }
    }

    /** Needs a client before the post-processors of beans are there. */
    static final class Early implements BeanPostProcessor, PriorityOrdered {

        Early(WebClient client) {
            assertThat(client).isNotNull();
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }
    }
}

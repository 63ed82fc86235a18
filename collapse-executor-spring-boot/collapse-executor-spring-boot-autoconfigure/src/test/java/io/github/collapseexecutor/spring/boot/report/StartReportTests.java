package io.github.collapseexecutor.spring.boot.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.http.webflux.CollapseWebFilter;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** What the log says when an application has started: what collapses, and what hardly was meant. */
@ExtendWith(OutputCaptureExtension.class)
class StartReportTests {

    private static final String REST = "collapse.executor.rest-template";
    private static final String SERVLET = "collapse.executor.servlet";

    private static final String OF_STOCK =
            REST + ".apply-bean-names: stock\n" + REST + ".collapse-groups[0].uris: /u\n";

    private final TestApplication application =
            new TestApplication().arguments("--logging.level.io.github.collapseexecutor=info");

    private TestApplication with(Class<?>... configurations) {
        return application.with(configurations);
    }

    private static List<String> lines(CapturedOutput output, String level) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains(" " + level + " ") && line.contains("StartReport"))
                .map(line -> line.substring(line.indexOf(" : ") + 3))
                .toList();
    }

    private static List<String> warnings(CapturedOutput output) {
        return lines(output, "WARN");
    }

    @Test
    void eachSectionSaysInOneLineWhatCollapses(CapturedOutput output) {
        with(Clients.class).withServer().start("""
                collapse.executor:
                  join: in-flight
                  rest-template:
                    apply-bean-names: [userClient, stock]
                    collapse-policies:
                      by-tenant:
                        collapse-request-headers: x-tenant
                    collapse-groups:
                      - uris: [/user/*, /users]
                      - uris: /stock/**
                        collapse-policy-name: by-tenant
                        dry-run: true
                  web-client:
                    apply-bean-names: catalogue
                    collapse-groups:
                      - uris: /catalogue
                        collapse-policy-name: path-only
                  servlet:
                    dry-run: true
                    collapse-groups:
                      - uris: /page
                      - uris: [/report, '/item/?', '/item/?/a=b']
                        dry-run: false
                """).close();
        assertThat(lines(output, "INFO"))
                .containsExactly(
                        "rest-template: userClient, stock collapse /user/* and /users (strict), /stock/** (by-tenant, dry run),"
                                + " in-flight",
                        "web-client: catalogue collapses /catalogue (path-only), in-flight",
                        "servlet: this server collapses /page (strict, dry run), /report and /item/? and /item/?/a=b"
                                + " (strict), in-flight");
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .startsWith(
                        "collapse.executor.web-client.collapse-groups[0] has the policy path-only, which ignores the"
                                + " whole query and every header but credentials");
    }

    @Test
    void aClientWithAnInjectedInterceptorIsReported(CapturedOutput output) {
        with(Injected.class).start(REST + ".collapse-groups[0].uris: /user/*").close();
        assertThat(lines(output, "INFO"))
                .containsExactly(
                        "rest-template: each client with an injected interceptor collapses /user/* (strict), fresh");
        assertThat(warnings(output)).noneMatch(line -> line.contains("rest-template"));
    }

    @Test
    void whereNothingIsConfiguredNothingIsSaid(CapturedOutput output) {
        with(Clients.class).start("").close();
        assertThat(lines(output, "INFO")).isEmpty();
        assertThat(warnings(output)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collapse.executor.enabled: false\ncollapse.executor.call-timeout: 5\n" + OF_STOCK,
                REST + ".enabled: false\n" + OF_STOCK,
                SERVLET + ".enabled: false\n" + SERVLET + ".collapse-groups[0].uris: /u"
            })
    void aSwitchThatIsOffIsSaidInOneLineAndNothingElseIs(String yaml, CapturedOutput output) {
        with(Clients.class).start(yaml).close();
        String name = yaml.substring(0, yaml.indexOf(": false"));
        assertThat(lines(output, "INFO")).singleElement().asString().startsWith(name + " is false: ");
        assertThat(warnings(output)).isEmpty();
    }

    static Stream<Arguments> mistakes() {
        String named = REST + ":\n  apply-bean-names: stock\n";
        return Stream.of(
                arguments(
                        REST + ".collapse-groups[0].uris: /user/*",
                        "No client uses the groups of " + REST + ". Name the beans of the clients in " + REST
                                + ".apply-bean-names, or inject the interceptor and add it to a client as its last one."),
                arguments(
                        "collapse.executor.web-client.collapse-groups[0].uris: /user/*",
                        "No client uses the groups of collapse.executor.web-client."),
                arguments(
                        REST + ".apply-bean-names: [stock, userClient]",
                        REST + ".apply-bean-names names stock, userClient, but " + REST
                                + " has no group, so that nothing collapses. Add " + REST
                                + ".collapse-groups, for example \"- uris: /user/*\"."),
                arguments(
                        "collapse.executor.webflux.collapse-groups[0].uris: /user/*",
                        "collapse.executor.webflux has groups, but this is no reactive web application,"),
                arguments(
                        "collapse.executor.servlet.collapse-groups[0].uris: /user/*",
                        "collapse.executor.servlet has groups, but this is no web application of servlets,"),
                arguments(
                        "spring.main.web-application-type: none\ncollapse.executor.servlet.collapse-groups[0].uris: /user/*",
                        "collapse.executor.servlet has groups, but this is no web application of servlets, so that nothing"
                                + " collapses. spring.main.web-application-type is none: set it to servlet, or remove the section;"),
                arguments(
                        named + "  collapse-groups:\n  - uris: /user/**\n  - uris: [/user/*, /other]",
                        REST + ".collapse-groups[1] never decides about /user/*: " + REST
                                + ".collapse-groups[0] comes first, and its /user/** matches all of that. Move the narrower"
                                + " group up."),
                arguments(
                        named + "  collapse-groups:\n  - uris: /user/*\n  collapse-policies: {spare: {strict: true}}",
                        "No group uses the policy " + REST
                                + ".collapse-policies.spare. Name it as the collapse-policy-name"
                                + " of a group, or remove it."),
                arguments(
                        named + "  collapse-groups:\n  - uris: /user?name=x",
                        "The pattern /user?name=x of " + REST
                                + ".collapse-groups[0] matches no query: patterns see the path"
                                + " only, and '?' is any one character."),
                arguments(
                        named + "  collapse-groups:\n  - uris: /user/*\n  follower-timeout: 1",
                        REST + ".follower-timeout is 1 ms, after which hardly any answer has come."
                                + " A number without a unit is a number of milliseconds;"),
                arguments(
                        named + "  collapse-groups: [{uris: /user/*}, {uris: /*/1}, {uris: /user/1}]",
                        REST + ".collapse-groups[2] never decides about /user/1: " + REST
                                + ".collapse-groups[0] comes"),
                arguments(
                        OF_STOCK + "collapse.executor.executors.rest-template.call-timeout: 5",
                        "collapse.executor.executors.rest-template.call-timeout is 5 ms,"),
                arguments(OF_STOCK + "collapse.executor.call-timeout: 5", "collapse.executor.call-timeout is 5 ms,"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aSilentMistakeIsSaidOnceWithTheRemedy(String yaml, String begin, CapturedOutput output) {
        with(Clients.class).start(yaml).close();
        assertThat(warnings(output)).singleElement().asString().startsWith(begin);
    }

    @Test
    void anInterceptorOrFilterThatIsInjectedWithoutAGroupIsSaid(CapturedOutput output) {
        with(Injected.class).start("").close();
        assertThat(warnings(output))
                .hasSize(2)
                .allMatch(Pattern.compile("A collapsing (interceptor|filter) is injected, but collapse\\.executor\\."
                                + "(rest-template|web-client) has no group, so that nothing collapses\\. .*")
                        .asMatchPredicate());
    }

    @Test
    void groupsThatTheApplicationsOwnInterceptorDoesNotReadAreSaid(CapturedOutput output) {
        with(OwnInterceptor.class)
                .start(REST + ".collapse-groups[0].uris: /user/*")
                .close();
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .contains("the application defines the interceptor itself, which does not read them");
    }

    @Test
    void groupsThatTheApplicationsOwnServletFilterDoesNotReadAreSaid(CapturedOutput output) {
        with(OwnServletFilter.class)
                .withServer()
                .start("collapse.executor.servlet.collapse-groups[0].uris: /user/*")
                .close();
        assertThat(lines(output, "INFO")).isEmpty();
        assertThat(warnings(output))
                .containsExactly("collapse.executor.servlet has groups, but the application defines the filter itself,"
                        + " which does not read them. Remove the bean or the section.");
    }

    @Test
    void aNamedClientThatIsMadeLaterIsAClient(CapturedOutput output) {
        with(LazyClient.class)
                .start(REST + ":\n  apply-bean-names: later\n  collapse-groups:\n  - uris: /user/*")
                .close();
        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void theGroupsOfAReactiveServerAreReported(CapturedOutput output) {
        with(Clients.class)
                .withReactiveServer()
                .start("collapse.executor.webflux.collapse-groups[0].uris: /user/*")
                .close();
        assertThat(lines(output, "INFO")).containsExactly("webflux: this server collapses /user/* (strict), fresh");
        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void groupsThatTheApplicationsOwnWebFilterDoesNotReadAreSaid(CapturedOutput output) {
        with(OwnWebFilter.class)
                .withReactiveServer()
                .start("collapse.executor.webflux.collapse-groups[0].uris: /user/*")
                .close();
        assertThat(lines(output, "INFO")).isEmpty();
        assertThat(warnings(output))
                .containsExactly(
                        "collapse.executor.webflux has groups, but the application defines the web filter itself,"
                                + " which does not read them. Remove the bean or the section.");
    }

    @Test
    void groupsOfServletsInAnApplicationOfWebFluxAreSaid(CapturedOutput output) {
        with(Clients.class)
                .withReactiveServer()
                .start("collapse.executor.servlet.collapse-groups[0].uris: /user/*")
                .close();
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .startsWith("collapse.executor.servlet has groups, but this is no web application of servlets,");
    }

    private static FilterRegistrationBean<?> registrationIn(ConfigurableApplicationContext context) {
        return context.getBean("collapseServletFilterRegistration", FilterRegistrationBean.class);
    }

    @Test
    void theApplicationsOwnServletFilterIsRegisteredAsOursIs() {
        try (ConfigurableApplicationContext context =
                with(OwnServletFilter.class).withServer().start("")) {
            FilterRegistrationBean<?> registration = registrationIn(context);
            assertThat(registration.getFilter()).isSameAs(context.getBean("own"));
            assertThat(registration.isEnabled()).isTrue();
            assertThat(registration.determineDispatcherTypes())
                    .containsExactlyInAnyOrder(DispatcherType.REQUEST, DispatcherType.ASYNC);
        }
    }

    @Test
    void theApplicationsOwnServletFilterIsNotRegisteredWhereTheMainSwitchIsOff() {
        try (ConfigurableApplicationContext context =
                with(OwnServletFilter.class).withServer().start("collapse.executor.enabled: false")) {
            assertThat(registrationIn(context).isEnabled()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "web-client, org.springframework.web.reactive.function.client",
        "rest-template, org.springframework.http.client",
    })
    void groupsOfAClientWhoseLibraryIsAbsentAreSaid(String section, String missing, CapturedOutput output) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(missing, "org.springframework.web.client"))
                .withPropertyValues("collapse.executor." + section + ".collapse-groups[0].uris=/user/*")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output.getAll())
                .containsOnlyOnce("collapse.executor." + section + " has groups, but org.springframework.web.")
                .containsOnlyOnce(" is not on the class path. Add its library, or remove the section.");
    }

    @Test
    void anApplicationThatMakesItsBeansLaterIsNotToldThatNoClientIsThere(CapturedOutput output) {
        with(Injected.class)
                .start("spring.main.lazy-initialization: true\ncollapse.executor.executors.later.max-pending: 5\n"
                        + REST + ".collapse-groups[0].uris: /user/*")
                .close();
        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void registrationsInWhichFollowersCannotComeBackAreSaid(CapturedOutput output) {
        with(OwnRegistrations.class).withServer().start("").close();
        assertThat(output.getAll()
                        .lines()
                        .filter(line -> line.contains("The registration "))
                        .map(line -> line.replaceAll(
                                ".*The registration (\\w+) of a collapsing filter (.*?), so .*", "$1 $2")))
                .containsExactlyInAnyOrder(
                        "noSupport has no async support",
                        "noAsync is not mapped to the dispatcher types [ASYNC]",
                        "noRequest is not mapped to the dispatcher types [REQUEST]");
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestTemplate userClient() {
            return new RestTemplate();
        }

        @Bean
        RestClient stock() {
            return RestClient.create();
        }

        @Bean
        WebClient catalogue() {
            return WebClient.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyClient {

        @Bean
        @Lazy
        RestClient later() {
            return RestClient.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Injected {

        @Bean
        RestClient restClient(CollapseHttpRequestInterceptor interceptor) {
            return RestClient.builder().requestInterceptor(interceptor).build();
        }

        @Bean
        WebClient webClient(CollapseExchangeFilterFunction filter) {
            return WebClient.builder().filter(filter).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnInterceptor {

        @Bean
        CollapseHttpRequestInterceptor own() {
            return new CollapseHttpRequestInterceptor(HttpCollapseOptions.forPaths("/own"), CollapseOptions.defaults());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnWebFilter {

        @Bean
        CollapseWebFilter own() {
            return new CollapseWebFilter(HttpCollapseOptions.forPaths("/own"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnServletFilter {

        @Bean
        CollapseServletFilter own() {
            return new CollapseServletFilter(HttpCollapseOptions.forPaths("/own"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistrations {

        private static <F extends Filter> FilterRegistrationBean<F> registration(F filter, DispatcherType... types) {
            FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
            registration.setDispatcherTypes(EnumSet.copyOf(List.of(types)));
            return registration;
        }

        private static CollapseServletFilter collapsing() {
            return new CollapseServletFilter(HttpCollapseOptions.forPaths("/own"));
        }

        @Bean
        FilterRegistrationBean<CollapseServletFilter> noSupport() {
            FilterRegistrationBean<CollapseServletFilter> registration =
                    registration(collapsing(), DispatcherType.REQUEST, DispatcherType.ASYNC);
            registration.setAsyncSupported(false);
            return registration;
        }

        @Bean
        FilterRegistrationBean<CollapseServletFilter> noAsync() {
            return registration(collapsing(), DispatcherType.REQUEST);
        }

        @Bean
        FilterRegistrationBean<CollapseServletFilter> noRequest() {
            return registration(collapsing(), DispatcherType.ASYNC);
        }

        @Bean
        FilterRegistrationBean<CollapseServletFilter> right() {
            return registration(collapsing(), DispatcherType.REQUEST, DispatcherType.ASYNC);
        }

        @Bean
        FilterRegistrationBean<Filter> anothers() {
            FilterRegistrationBean<Filter> registration = registration(
                    (request, response, chain) -> chain.doFilter(request, response), DispatcherType.REQUEST);
            registration.setAsyncSupported(false);
            return registration;
        }
    }
}

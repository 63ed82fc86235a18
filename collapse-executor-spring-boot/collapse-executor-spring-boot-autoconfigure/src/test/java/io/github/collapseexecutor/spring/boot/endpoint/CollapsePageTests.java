package io.github.collapseexecutor.spring.boot.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.boot.CollapseControl;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.context.WebApplicationContext;

/** The page below the actuator: what it is, and where there is none. The sample's tests look at its contents in browsers. */
class CollapsePageTests {

    private static final String YAML = """
            collapse:
              executor:
                rest-template:
                  collapse-groups:
                    - uris: /user/*
            management:
              endpoints:
                web:
                  exposure:
                    include: collapse, collapsepage
            """;

    private static final String[] ALLOWED = {
        "management.endpoint.collapsepage.access=READ_ONLY", "management.endpoints.web.exposure.include=collapsepage"
    };

    private static HttpResponse<String> page(String method, String... arguments) throws Exception {
        try (ConfigurableApplicationContext context =
                new TestApplication().withServer().arguments(arguments).start(YAML)) {
            String address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/actuator/collapsepage"))
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build();
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void whereItIsAllowedItIsOnePageThatAsksNobodyElse() throws Exception {
        HttpResponse<String> page = page("GET", "--management.endpoint.collapsepage.access=read-only");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).isEqualToIgnoringCase("text/html;charset=UTF-8"));
        assertThat(page.body())
                .startsWith("<!doctype html>")
                .contains("data-endpoint=\"collapse\" data-load=\"\"") // beside it, and without switches
                .doesNotContain("http:")
                .doesNotContain("https:")
                .doesNotContain("src=");
    }

    @Test
    void itIsOffByDefault_alsoIfItIsExposed() throws Exception {
        assertThat(page("GET").statusCode()).isEqualTo(404);
    }

    @Test
    void itCanOnlyBeRead() throws Exception {
        assertThat(page("POST", "--management.endpoint.collapsepage.access=unrestricted")
                        .statusCode())
                .isEqualTo(405);
    }

    @Test
    void aServerOfWebFluxServesItAndTheEndpointBesideIt() throws Exception {
        try (ConfigurableApplicationContext context = new TestApplication()
                .withReactiveServer()
                .arguments(
                        "--management.endpoint.collapsepage.access=read-only",
                        "--management.endpoint.collapse.access=unrestricted")
                .start(YAML)) {
            assertThat(context).as("no application of servlets").isNotInstanceOf(WebApplicationContext.class);
            HttpResponse<String> page = send(context, "GET", "collapsepage", "");
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).isEqualToIgnoringCase("text/html;charset=UTF-8"));
            assertThat(page.body()).startsWith("<!doctype html>").contains("data-endpoint=\"collapse\"");
            assertThat(send(context, "GET", "collapse", "").body()).contains("\"rest-template\"");
            assertThat(send(context, "POST", "collapse/rest-template", "{\"action\": \"pause\"}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(context.getBean(CollapseControl.class).isPaused("rest-template"))
                    .isTrue();
            assertThat(send(context, "POST", "collapse/none", "{\"action\": \"pause\"}")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(send(context, "POST", "collapsepage", "").statusCode()).isEqualTo(405);
        }
    }

    private static HttpResponse<String> send(
            ConfigurableApplicationContext context, String method, String endpoint, String body) throws Exception {
        String address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/actuator/" + endpoint))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void itExistsInEitherKindOfWebApplication() {
        AutoConfigurations configurations = configurations();
        new WebApplicationContextRunner()
                .withConfiguration(configurations)
                .withPropertyValues(ALLOWED)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(CollapsePageEndpoint.class));
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(configurations)
                .withPropertyValues(ALLOWED)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(CollapsePageEndpoint.class));
    }

    @Test
    void withoutAWebApplicationOrTheActuatorThereIsNone() {
        new ApplicationContextRunner()
                .withConfiguration(configurations())
                .withPropertyValues(ALLOWED)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CollapsePageEndpoint.class));
        new WebApplicationContextRunner()
                .withConfiguration(configurations())
                .withPropertyValues(ALLOWED)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CollapsePageEndpoint.class));
    }

    private static AutoConfigurations configurations() {
        return AutoConfigurations.of(CollapseExecutorAutoConfiguration.class, CollapseEndpointAutoConfiguration.class);
    }
}

package io.github.collapseexecutor.spring.boot.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.fixture.EndpointApplication;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint shows and switches executors whose names a server or a firewall refuses in a path. */
class NamesThatNoPathTakesTests {

    private static final String NAME = "users/by;id 100%";

    static class Users {

        @Collapsible(name = NAME)
        public String byId(long id) {
            return "user " + id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Users users() {
            return new Users();
        }
    }

    // mutable, confined to the test's thread
    private final ConfigurableApplicationContext context =
            new TestApplication().withServer().with(Application.class).start("""
            management:
              endpoint.collapse.access: unrestricted
              endpoints.web.exposure.include: collapse
            """);

    @AfterEach
    void stop() {
        context.close();
    }

    private HttpResponse<String> send(String query, HttpRequest.Builder request) throws Exception {
        String port = context.getEnvironment().getProperty("local.server.port");
        URI uri = URI.create("http://localhost:" + port + "/actuator/collapse" + query);
        return HttpClient.newHttpClient().send(request.uri(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String body) throws Exception {
        return send(
                "",
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static String query(String name) {
        return "?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    @Test
    void areShownByAParameter() throws Exception {
        HttpResponse<String> response = send(query(NAME), HttpRequest.newBuilder());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(EndpointApplication.json(response.body()).get("paused")).isEqualTo(false);
        assertThat(send(query("users/other"), HttpRequest.newBuilder()).statusCode())
                .isEqualTo(404);
        assertThat(send("", HttpRequest.newBuilder()).body()).contains(NAME).contains("sections");
    }

    @Test
    void areSwitchedByANameInTheBody() throws Exception {
        CollapsingControl control = context.getBean(CollapsingControl.class);
        HttpResponse<String> response = post("{\"name\": \"" + NAME + "\", \"action\": \"pause\"}");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(EndpointApplication.json(response.body()).get("paused")).isEqualTo(true);
        assertThat(control.isPaused(NAME)).isTrue();
        assertThat(post("{\"name\": \"" + NAME + "\", \"action\": \"resume\"}").statusCode())
                .isEqualTo(200);
        assertThat(control.isPaused(NAME)).isFalse();
        assertThat(post("{\"name\": \"users/other\", \"action\": \"pause\"}").body())
                .contains("There is no section users/other");
        assertThat(post("{\"action\": \"pause\"}").statusCode()).isEqualTo(400);
    }
}

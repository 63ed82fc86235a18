package io.github.collapseexecutor.spring.boot.endpoint;

import io.github.collapseexecutor.spring.boot.CollapseControl;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.springframework.context.ConfigurableApplicationContext;

/** An application whose actuator Spring Security guards. The password of each user is the name. */
final class SecuredServer implements AutoCloseable {

    private static final String YAML = """
            test:
              secured: true
            collapse:
              executor:
                rest-template:
                  collapse-groups:
                    - uris: /user/*
            management:
              health:
                redis:
                  enabled: false
              endpoints:
                web:
                  exposure:
                    include: health, collapse, collapsepage
              endpoint:
                collapse:
                  access: unrestricted
                collapsepage:
                  access: read-only
            spring:
              security:
                user:
                  name: operator
                  password: operator
            """;

    // immutable
    private final ConfigurableApplicationContext context;
    private final String address;
    private final HttpClient client = HttpClient.newHttpClient();

    private SecuredServer(TestApplication application) {
        this.context = application.start(YAML);
        this.address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
    }

    static SecuredServer ofServlets(Class<?>... configurations) {
        return new SecuredServer(new TestApplication().withServer().with(configurations));
    }

    static SecuredServer ofWebFlux(Class<?>... configurations) {
        return new SecuredServer(new TestApplication().withReactiveServer().with(configurations));
    }

    /**
     * Asks below the actuator.
     *
     * @param user who asks; empty for nobody
     * @param type of the body, if there is one: then it is a POST that pauses
     */
    HttpResponse<String> ask(String user, String path, String type) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "/actuator/" + path));
        if (!user.isEmpty()) {
            String credentials = user + ":" + user;
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        if (!type.isEmpty()) {
            request.header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"pause\"}"));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    boolean isPaused() {
        return control().isPaused("rest-template");
    }

    CollapseControl control() {
        return context.getBean(CollapseControl.class);
    }

    @Override
    public void close() {
        context.close();
    }
}

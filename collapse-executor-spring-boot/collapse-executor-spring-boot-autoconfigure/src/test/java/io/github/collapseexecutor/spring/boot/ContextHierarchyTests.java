package io.github.collapseexecutor.spring.boot;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.spring.boot.fixture.Backend;
import io.github.collapseexecutor.spring.boot.fixture.BackendCallers;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

/** A context below another one, both auto-configured: what is made for one is not taken from the other. */
class ContextHierarchyTests {

    private static final int CALLERS = 6;

    private static final String YAML = """
            collapse:
              executor:
                join: in-flight
                rest-template:
                  apply-bean-names: parentClient
                  collapse-groups:
                    - uris: /user/*
                servlet:
                  collapse-groups:
                    - uris: /page/*
            """;

    private ConfigurableApplicationContext parent;
    private ConfigurableApplicationContext child;

    @BeforeEach
    void start() {
        parent = new TestApplication().with(ParentClient.class).start(YAML);
        child = startBelowParent();
    }

    private ConfigurableApplicationContext startBelowParent() {
        return new TestApplication()
                .withServer()
                .with(ChildClient.class, Backend.class)
                .with(context -> context.setParent(parent))
                .start("");
    }

    @AfterEach
    void close() {
        child.close();
        parent.close();
    }

    @Test
    void aClientOfEachContextCollapses() throws Exception {
        Backend backend = child.getBean(Backend.class);
        BackendCallers callers = new BackendCallers(backend);
        callers.add(CALLERS, () -> get("parentClient", "/user/1"));
        callers.add(CALLERS, () -> get("childClient", "/user/2"));
        assertThat(callers.answersOnceAllHaveArrived())
                .containsSubsequence(nCopies(CALLERS, "user 1 for anybody"))
                .containsSubsequence(nCopies(CALLERS, "user 2 for anybody"));
        assertThat(backend.calls()).containsExactlyInAnyOrder("user 1 for anybody", "user 2 for anybody");
    }

    @Test
    void theSwitchOfAContextIsOfItsOwnClients() throws Exception {
        CollapseControl ofParent = parent.getBean(CollapseControl.class);
        CollapseControl ofChild = child.getBean(CollapseControl.class);
        ofChild.pause("rest-template");
        assertThat(ofChild.isPaused("rest-template")).isTrue();
        assertThat(ofParent.isPaused("rest-template")).isFalse();

        Backend backend = child.getBean(Backend.class);
        BackendCallers callers = new BackendCallers(backend);
        callers.add(CALLERS, () -> get("parentClient", "/user/1"));
        callers.add(CALLERS, () -> get("childClient", "/user/2"));
        callers.answersOnceAllHaveArrived();
        assertThat(backend.calls())
                .containsOnlyOnce("user 1 for anybody")
                .filteredOn("user 2 for anybody"::equals)
                .hasSize(CALLERS);
    }

    @Test
    void aServerIsInTheControlOfItsContextOnly() {
        assertThat(child.getBean(CollapseControl.class).isPaused("servlet")).isFalse();
        assertThatThrownBy(() -> parent.getBean(CollapseControl.class).isPaused("servlet"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("servlet");
    }

    /** As in a cloud's client contexts, which are made again and again below one that stays. */
    @Test
    void gaugesOfTheParentsRegistryShowTheContextsBelowItThatThereAre() throws Exception {
        MeterRegistry registry = parent.getBean(MeterRegistry.class);
        child.close();
        child = startBelowParent();
        Backend backend = child.getBean(Backend.class);
        BackendCallers callers = new BackendCallers(backend);
        callers.add(CALLERS, () -> get("parentClient", "/user/1"));
        callers.add(CALLERS, () -> get("childClient", "/user/2"));
        await().untilAsserted(() -> assertThat(registry.get("collapse.pending")
                        .tag("name", "rest-template")
                        .gauge()
                        .value())
                .isEqualTo(2 * CALLERS));
        callers.answersOnceAllHaveArrived();
    }

    private String get(String client, String path) {
        String address = "http://localhost:" + child.getEnvironment().getProperty("local.server.port");
        return String.valueOf(child.getBean(client, RestTemplate.class).getForObject(address + path, String.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class ParentClient {

        @Bean
        RestTemplate parentClient() {
            return new RestTemplate();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ChildClient {

        @Bean
        RestTemplate childClient(CollapseHttpRequestInterceptor interceptor) {
            RestTemplate client = new RestTemplate();
            client.getInterceptors().add(interceptor);
            return client;
        }
    }
}

package io.github.collapseexecutor.spring.boot.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

/** An origin behind Spring Security forbids by default that anything is shared; the log of its clients says so, and how to end it. */
@ExtendWith(OutputCaptureExtension.class)
class SecuredOriginTests {

    private static final String SECURED = "test.secured: true\nmanagement.health.redis.enabled: false\n";

    @Configuration(proxyBeanMethods = false)
    static class Client {

        @Bean
        RestTemplate users() {
            return new RestTemplate();
        }
    }

    @RestController
    static class Origin {

        // mutable, thread-safe
        private final CountDownLatch open = new CountDownLatch(1);

        @GetMapping("/user/{id}")
        String user(@PathVariable("id") String id) throws InterruptedException {
            assertThat(open.await(60, TimeUnit.SECONDS)).isTrue();
            return "user " + id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DefaultHeaders {

        @Bean
        SecurityFilterChain everybody(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithTheRemedy {

        @Bean
        SecurityFilterChain everybody(HttpSecurity http) throws Exception {
            http.headers(headers -> headers.cacheControl(cache -> cache.disable()));
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    private static void callTwice(Class<?> chain) throws Exception {
        try (ConfigurableApplicationContext server = new TestApplication()
                        .with(Origin.class, chain)
                        .withServer()
                        .start(SECURED);
                ConfigurableApplicationContext client = new TestApplication()
                        .alone()
                        .with(Client.class)
                        .arguments("--logging.level.io.github.collapseexecutor=info")
                        .start("""
                    collapse.executor.rest-template:
                      apply-bean-names: users
                      join: in-flight
                      collapse-groups:
                        - uris: /user/*
                    """)) {
            String uri = "http://localhost:" + server.getEnvironment().getProperty("local.server.port")
                    + "/user/7?token=secret";
            RestTemplate users = client.getBean(RestTemplate.class);
            FutureTask<String> first = begin(users, uri);
            FutureTask<String> second = begin(users, uri);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> client.getBean(HttpSections.class)
                                    .find("rest-template")
                                    .control()
                                    .counts()
                                    .callers()
                            == 2);
            server.getBean(Origin.class).open.countDown();
            assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("user 7");
            assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("user 7");
        }
    }

    private static FutureTask<String> begin(RestTemplate users, String uri) {
        FutureTask<String> caller = new FutureTask<>(() -> users.getForObject(uri, String.class));
        new Thread(caller).start();
        return caller;
    }

    @Test
    void theClientsLogNamesTheHeaderAndTheRemedy(CapturedOutput output) throws Exception {
        callTwice(DefaultHeaders.class);
        assertThat(output.getAll().lines().filter(line -> line.contains("was not shared")))
                .singleElement()
                .asString()
                .contains(" INFO ", "rest-template: a response of localhost:", "group [/user/*]")
                .contains("Cache-Control: no-store", "headers.cacheControl(cache -> cache.disable())")
                .doesNotContain("secret", "/user/7");
    }

    @Test
    void theRemedyHelps(CapturedOutput output) throws Exception {
        callTwice(WithTheRemedy.class);
        assertThat(output.getAll()).doesNotContain("was not shared");
    }
}

package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.CompiledAtRunTime;
import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.spring.boot.fixture.Backend;
import io.github.collapseexecutor.spring.boot.fixture.BackendCallers;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Groups of HTTP services ({@code @ImportHttpServices}) collapse by name. Where Spring Framework has no such groups, each test shows that
 * the name is refused.
 */
@OnEachLine
@ExtendWith(OutputCaptureExtension.class)
public class HttpServiceGroupsTests {

    private static final int CALLERS = 4; // fewer than the connections of each client
    public static final Path SOURCES = Path.of("src/test/spring-framework-7");
    private static final String REST = "collapse.executor.rest-template";
    private static final String WEB = "collapse.executor.web-client";

    private static @Nullable CompiledAtRunTime sources;

    private @Nullable ConfigurableApplicationContext server;
    private @Nullable ConfigurableApplicationContext application;

    @BeforeAll
    static void compile() throws IOException {
        if (hasGroups()) {
            sources = new CompiledAtRunTime(SOURCES);
        }
    }

    @AfterAll
    static void delete() throws IOException {
        if (sources != null) {
            sources.close();
        }
    }

    @BeforeEach
    void startServer() {
        if (hasGroups()) {
            server = new TestApplication().withServer().with(Backend.class).start("");
        }
    }

    @AfterEach
    void close() {
        if (application != null) {
            application.close();
        }
        if (server != null) {
            server.getBean(Backend.class).release();
            server.close();
        }
    }

    private static boolean hasGroups() {
        return ClassUtils.isPresent(ServiceGroupConfigurer.REGISTRY, null);
    }

    /** An older Spring Framework says what is missing. */
    private static void assertRefused(String section) {
        assertThat(new TestApplication().alone().failure(section + ".apply-http-service-groups: users"))
                .contains("Property: " + section + ".apply-http-service-groups[0]\n    Value: \"users\"\n")
                .contains(
                        "Reason: groups of HTTP services (@ImportHttpServices) come with Spring Framework 7, and this is 6.")
                .endsWith(
                        "Use Spring Boot 4, or make the client of the interfaces a bean and name it in apply-bean-names.");
    }

    private TestApplication services(String... more) {
        TestApplication services = new TestApplication()
                .classLoader(sources.loader())
                .with(sources.named("sample.HttpServices$Groups"), sources.named("sample.Calls"))
                .arguments("--collapse.executor.join=in-flight", "--collapse.executor.max-wait=10m")
                .arguments(more);
        String address = "http://localhost:" + server.getEnvironment().getProperty("local.server.port");
        for (String group : List.of("users", "stock", "reactive")) {
            services.arguments("--spring.http.serviceclient." + group + ".base-url=" + address);
        }
        return services;
    }

    /** Returns what the callers of one interface got. */
    private List<String> answers(String... groups) throws Exception {
        BackendCallers callers = new BackendCallers(server.getBean(Backend.class));
        for (String group : groups) {
            callers.add(CALLERS, call(group));
        }
        return callers.answersOnceAllHaveArrived();
    }

    @SuppressWarnings("unchecked") // the bean is declared with these types
    private Callable<String> call(String group) {
        LongFunction<String> call = application.getBean(group, LongFunction.class);
        return () -> call.apply(7);
    }

    private List<String> calls() {
        return server.getBean(Backend.class).calls();
    }

    @Test
    void interfacesOfANamedGroupShareACall(CapturedOutput output) throws Exception {
        if (!hasGroups()) {
            assertRefused(REST);
            return;
        }
        application = services("--logging.level.io.github.collapseexecutor=info")
                .startFrom(SOURCES.resolve("sample/http-service-groups.yaml")
                        .toUri()
                        .toString());
        assertThat(answers("users")).hasSize(CALLERS).containsOnly("user 7 for anybody");
        assertThat(calls()).hasSize(1);
        assertThat(output)
                .contains("rest-template: HTTP service group users collapses /user/* (strict), in-flight")
                .doesNotContain("WARN");
    }

    @Test
    void otherGroupsDoNotCollapse() throws Exception {
        if (!hasGroups()) {
            assertRefused(REST);
            return;
        }
        application =
                services().start(REST + ":\n  apply-http-service-groups: users\n  collapse-groups:\n  - uris: /user/*");
        assertThat(answers("stock")).hasSize(CALLERS);
        assertThat(calls()).hasSize(CALLERS);
    }

    @Test
    void H35_groupsDoNotShareWithOneAnother() throws Exception {
        if (!hasGroups()) {
            assertRefused(REST);
            return;
        }
        application = services()
                .start(REST
                        + ":\n  apply-http-service-groups: [users, stock]\n  collapse-groups:\n  - uris: /user/*\n"
                        + WEB + ":\n  apply-http-service-groups: reactive\n  collapse-groups:\n  - uris: /user/*");
        assertThat(answers("users", "stock")).hasSize(2 * CALLERS).containsOnly("user 7 for anybody");
        assertThat(calls()).hasSize(2);
    }

    @Test
    void aGroupOfWebClientsCollapses() throws Exception {
        if (!hasGroups()) {
            assertRefused(WEB);
            return;
        }
        application = services()
                .start(WEB + ":\n  apply-http-service-groups: reactive\n  collapse-groups:\n  - uris: /user/*\n");
        Callable<String> call = call("reactive");
        List<FutureTask<String>> callers =
                Stream.generate(() -> new FutureTask<>(call)).limit(CALLERS).toList();
        callers.forEach(caller -> new Thread(caller).start());
        HttpCollapseControl control =
                application.getBean(HttpSections.class).find("web-client").control();
        await().until(() -> control.counts().callers() == CALLERS);
        server.getBean(Backend.class).release();
        for (FutureTask<String> caller : callers) {
            assertThat(caller.get(30, TimeUnit.SECONDS)).isEqualTo("user 7 for anybody");
        }
        assertThat(calls()).hasSize(1);
    }

    /** Whatever an interceptor of the application adds is below no other: the request factory sees it. */
    @Test
    void H36_aTokenThatAnInterceptorAddsKeepsUsersApart() throws Exception {
        if (!hasGroups()) {
            assertRefused(REST);
            return;
        }
        application =
                services().start(REST + ":\n  apply-http-service-groups: users\n  collapse-groups:\n  - uris: /user/*");
        @SuppressWarnings("unchecked") // the bean is declared with this type
        ThreadLocal<String> user = application.getBean("user", ThreadLocal.class);
        Callable<String> call = call("users");
        BackendCallers callers = new BackendCallers(server.getBean(Backend.class));
        for (String name : List.of("alice", "bob")) {
            callers.add(CALLERS, () -> {
                user.set(name);
                return name + ": " + call.call();
            });
        }
        assertThat(callers.answersOnceAllHaveArrived())
                .hasSize(2 * CALLERS)
                .containsOnly("alice: user 7 for alice", "bob: user 7 for bob");
        assertThat(calls()).containsExactlyInAnyOrder("user 7 for alice", "user 7 for bob");
    }

    @Test
    void aGroupOfCollapseGroupsMayHoldForOneGroupOfServicesOnly() throws Exception {
        if (!hasGroups()) {
            assertRefused(REST);
            return;
        }
        application = services()
                .start(REST + ":\n  apply-http-service-groups: users\n  collapse-groups:\n"
                        + "  - uris: /user/*\n    apply-http-service-groups: stock");
        assertThat(answers("users", "stock")).hasSize(2 * CALLERS);
        assertThat(calls()).as("one of stock").hasSize(CALLERS + 1);
    }

    @Test
    void aNameThatIsThatOfNoGroupStopsTheStart() {
        if (!hasGroups()) {
            assertRefused(REST);
            return;
        }
        assertThat(services().failure(REST + ".apply-http-service-groups: usrs"))
                .contains("Property: " + REST + ".apply-http-service-groups[0]\n    Value: \"usrs\"\n")
                .contains("Reason: there is no group of HTTP services of this name; did you mean users?")
                .endsWith("Name a group of @ImportHttpServices; this application has reactive, stock, users.");
        assertThat(new TestApplication().failure(WEB + ".apply-http-service-groups: users"))
                .endsWith("Name a group of @ImportHttpServices; this application has none.");
    }

    @Test
    void aGroupWithClientsOfAnotherTypeStopsTheStart() {
        if (!hasGroups()) {
            assertRefused(REST);
            return;
        }
        assertThat(services().failure(REST + ".apply-http-service-groups: reactive"))
                .contains("Reason: the interfaces of this group are not called by RestClient")
                .endsWith("Name the group in " + WEB + ".apply-http-service-groups.");
        assertThat(services().failure(WEB + ".apply-http-service-groups: users"))
                .contains("Reason: the interfaces of this group are not called by WebClient")
                .endsWith("Name the group in " + REST + ".apply-http-service-groups.");
    }

    @Test
    void aConfigurerThatTakesCollapsingAwayStopsTheStart() {
        if (!hasGroups()) {
            assertRefused(REST);
            return;
        }
        assertThat(services()
                        .with(sources.named("sample.Late"))
                        .failure(REST + ":\n  apply-http-service-groups: users\n  collapse-groups:\n  - uris: /user/*"))
                .contains("Reason: a configurer of HTTP service groups has replaced what makes this group collapse")
                .endsWith("Give the application's configurer an order before the last, for example by @Order(0).");
    }

    @Test
    void switchedOffNoNameIsLookedFor() {
        new TestApplication()
                .alone()
                .start(REST + ":\n  enabled: false\n  apply-http-service-groups: users")
                .close();
        new TestApplication()
                .alone()
                .start("collapse.executor:\n  enabled: false\n  web-client.apply-http-service-groups: users")
                .close();
    }
}

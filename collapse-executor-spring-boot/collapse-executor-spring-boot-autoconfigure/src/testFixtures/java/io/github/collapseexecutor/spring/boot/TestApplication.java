package io.github.collapseexecutor.spring.boot;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.ClassUtils;

/** An application of a user's: auto-configuration and an {@code application.yaml}, started as a user starts it. */
final class TestApplication {

    // mutable, confined to the test's thread
    private final List<Class<?>> sources = new ArrayList<>(List.of(Base.class));
    private final List<String> arguments = new ArrayList<>();
    private final List<Consumer<GenericApplicationContext>> beans = new ArrayList<>();
    private WebApplicationType type = WebApplicationType.NONE;
    private ClassLoader loader = TestApplication.class.getClassLoader();

    TestApplication with(Class<?>... configurations) {
        sources.addAll(List.of(configurations));
        return this;
    }

    /**
     * Leaves out the auto-configurations of others: an application of this library alone. For starts that fail before they get to what
     * others configure, and for tests of what needs none of it; each takes a fraction of the time.
     */
    TestApplication alone() {
        sources.set(0, Alone.class);
        return this;
    }

    /** Registers beans that no configuration class declares. */
    TestApplication with(Consumer<GenericApplicationContext> more) {
        beans.add(more);
        return this;
    }

    /** Has the application find its classes by another class loader. */
    TestApplication classLoader(ClassLoader other) {
        loader = other;
        return this;
    }

    TestApplication arguments(String... more) {
        arguments.addAll(List.of(more));
        return this;
    }

    /** Starts a Tomcat, too, on a free port. */
    TestApplication withServer() {
        type = WebApplicationType.SERVLET;
        return arguments("--server.port=0");
    }

    /**
     * Starts a server of WebFlux, too, on a free port: Netty, as most such applications do. Boot would take the Tomcat of
     * the other tests. That one closes the connection if the thread that writes to it is interrupted, and Reactor may
     * interrupt the one on which an endpoint has just refused a request (reactor-core issue 2997).
     */
    TestApplication withReactiveServer() {
        type = WebApplicationType.REACTIVE;
        with(context -> context.registerBean("netty", nettyFactory()));
        return arguments("--server.port=0");
    }

    /** Returns the class of Netty's factory: each generation of Boot has it elsewhere. */
    private static Class<?> nettyFactory() {
        String ofBoot4 = "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory";
        String ofBoot3 = "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory";
        return ClassUtils.resolveClassName(ClassUtils.isPresent(ofBoot4, null) ? ofBoot4 : ofBoot3, null);
    }

    ConfigurableApplicationContext start(String yaml) {
        try {
            Path folder = Files.createTempDirectory("collapse-executor");
            Path file = Files.writeString(folder.resolve("application.yaml"), yaml);
            folder.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            return startFrom(file.toUri().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ConfigurableApplicationContext startFrom(String yamlLocation) {
        SpringApplication application =
                new SpringApplication(new DefaultResourceLoader(loader), sources.toArray(Class<?>[]::new));
        application.setWebApplicationType(type);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> beans.forEach(more -> more.accept((GenericApplicationContext) context)));
        application.setDefaultProperties(
                Map.of("logging.level.root", "off", "logging.level.io.github.collapseexecutor", "warn"));
        List<String> all = new ArrayList<>(arguments);
        all.add("--spring.config.location=" + yamlLocation);
        return application.run(all.toArray(String[]::new));
    }

    /** Returns what the user reads when the application does not start. */
    String failure(String yaml) {
        assertThatThrownBy(() -> start(yaml).close()).isNotNull();
        FailureAnalysis analysis = requireNonNull(RecordingFailureAnalysisReporter.take(), "Boot prints no analysis");
        return (analysis.getDescription() + System.lineSeparator() + analysis.getAction())
                .replace(System.lineSeparator(), "\n")
                .replaceAll("Origin: .*application\\.yaml\\]", "Origin: application.yaml");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Base {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({CollapseExecutorAutoConfiguration.class, CollapseWritesAutoConfiguration.class})
    static class Alone {}
}

package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.spring.boot.client.ServiceGroupConfigurer;
import io.github.collapseexecutor.spring.boot.cluster.LinkHealth;
import io.github.collapseexecutor.spring.boot.config.Artifact;
import io.github.collapseexecutor.spring.boot.server.TomcatProcessorCache;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/**
 * What a native image leaves out unless it is told: proxies, methods that are looked up by name because older versions of Java or Spring
 * lack them, and resources. Spring finds it in {@code META-INF/spring/aot.factories}. Nothing is registered for a class whose library
 * is absent.
 */
final class NativeImageHints implements RuntimeHintsRegistrar {

    /** Interfaces that a proxy implements by calling another implementation, so that all their methods are called by reflection. */
    static final List<String> WRAPPED = List.of(
            "java.sql.PreparedStatement",
            "jakarta.servlet.http.HttpServletResponse",
            "org.springframework.security.web.csrf.CsrfToken",
            "org.springframework.web.client.RestClient$Builder",
            "org.springframework.web.reactive.function.client.WebClient$Builder");

    /** Interfaces of Spring Framework 7 that a proxy implements. */
    static final List<String> CONFIGURERS = List.of(
            ServiceGroupConfigurer.OF_REST_CLIENT,
            ServiceGroupConfigurer.OF_WEB_CLIENT,
            ServiceGroupConfigurer.CALLBACK);

    /** Types whose methods are called by name: of Spring Framework 7, and of Spring Security where the caller does without Spring. */
    static final List<String> CALLED_BY_NAME = List.of(
            ServiceGroupConfigurer.GROUP,
            ServiceGroupConfigurer.GROUPS,
            ServiceGroupConfigurer.REGISTRY,
            "org.springframework.security.core.context.SecurityContext",
            "org.springframework.security.core.context.SecurityContextHolder");

    /** With it, Spring shows functions of Kotlin that suspend to interceptors. */
    static final String SUSPENDING = "kotlinx.coroutines.reactor.MonoKt";

    /** By it, a connection is known whose rows may go to several databases. */
    static final String SHARDING = "org.apache.shardingsphere.driver.jdbc.core.connection.ShardingSphereConnection";

    /**
     * Types whose presence decides, and which a native image would not find by name. Without the hint of one, a user would not be part of
     * what callers share, a page with the token of one client or a response whose head changes while it is read would be shared, a write inside a
     * transaction would be taken for one outside, or one that was rolled back for a commit.
     */
    static final List<String> DECIDING = List.of(
            Artifact.JDBC.type(),
            Artifact.REDIS.type(),
            "com.zaxxer.hikari.HikariDataSource",
            "io.micrometer.context.ContextSnapshotFactory",
            "io.micrometer.observation.Observation",
            "io.micrometer.tracing.Span",
            "io.micrometer.tracing.otel.bridge.OtelSpan",
            "jakarta.servlet.http.HttpServletRequest",
            SUSPENDING,
            SHARDING,
            "org.eclipse.jetty.client.HttpClient",
            "org.hibernate.context.spi.CurrentTenantIdentifierResolver",
            "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource",
            "org.springframework.security.authentication.AnonymousAuthenticationToken",
            "org.springframework.security.core.context.ReactiveSecurityContextHolder",
            "org.springframework.security.core.context.SecurityContextHolder",
            "org.springframework.security.web.FilterChainProxy",
            "org.springframework.security.web.csrf.CsrfToken",
            "org.springframework.security.web.server.csrf.CsrfToken",
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            "org.springframework.web.context.request.RequestContextHolder",
            "org.springframework.web.reactive.function.client.ClientRequestObservationContext",
            "reactor.netty.http.client.HttpClientRequest",
            "reactor.netty.http.server.HttpServerRequest");

    /** Private fields by which the redirects are found that a transport below RestTemplate, RestClient or WebClient has followed. */
    static final Map<String, String> SHOWING_REDIRECTS = Map.ofEntries(
            Map.entry("org.springframework.http.client.SimpleClientHttpResponse", "connection"),
            Map.entry("org.springframework.http.client.JdkClientHttpResponse", "response"),
            Map.entry("org.springframework.http.client.JettyClientHttpResponse", "response"),
            Map.entry("org.springframework.http.client.OkHttp3ClientHttpResponse", "response"),
            Map.entry("org.springframework.http.client.ReactorClientHttpResponse", "response"),
            Map.entry("org.springframework.http.client.BufferingClientHttpResponseWrapper", "response"),
            Map.entry("org.springframework.http.client.BufferingClientHttpRequestWrapper", "request"),
            Map.entry("org.springframework.http.client.HttpComponentsClientHttpRequest", "httpContext"),
            Map.entry("org.springframework.http.client.reactive.ReactorClientHttpResponse", "response"),
            Map.entry("org.springframework.http.client.reactive.HttpComponentsClientHttpRequest", "context"),
            Map.entry("org.springframework.http.client.reactive.JettyClientHttpRequest", "jettyRequest"),
            Map.entry("org.springframework.http.client.reactive.JdkClientHttpConnector", "httpClient"),
            Map.entry("org.springframework.web.reactive.function.client.DefaultClientResponse", "response"));

    private static final String TOMCAT = "org.apache.catalina.LifecycleListener";

    private static final String CUSTOMIZER = "org.springframework.boot.web.server.WebServerFactoryCustomizer";

    /** Types that Hibernate makes by reflection. */
    static final List<String> OF_HIBERNATE = List.of(
            "io.github.collapseexecutor.hibernate.CollapsedSequenceGenerator",
            "io.github.collapseexecutor.hibernate.SpringSequences");

    /** The script that Redis runs. */
    static final String SCRIPT = "io/github/collapseexecutor/cluster/shared-call.lua";
    /** The page of the endpoint {@code collapsepage}. */
    static final String PAGE = "io/github/collapseexecutor/spring/boot/endpoint/collapse-page.html";

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        WRAPPED.forEach(name -> registerProxy(hints, loader, name, MemberCategory.INVOKE_PUBLIC_METHODS));
        CONFIGURERS.forEach(name -> registerProxy(hints, loader, name));
        LinkHealth.INDICATORS.forEach(name -> {
            registerProxy(hints, loader, name);
            String health = LinkHealth.healthOf(name);
            for (String called : List.of(health, health + "$Builder")) {
                hints.reflection().registerTypeIfPresent(loader, called, MemberCategory.INVOKE_PUBLIC_METHODS);
            }
        });
        CALLED_BY_NAME.forEach(
                name -> hints.reflection().registerTypeIfPresent(loader, name, MemberCategory.INVOKE_PUBLIC_METHODS));
        OF_HIBERNATE.forEach(name ->
                hints.reflection().registerTypeIfPresent(loader, name, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS));
        DECIDING.forEach(name -> hints.reflection().registerTypeIfPresent(loader, name));
        SHOWING_REDIRECTS.forEach(
                (name, field) -> hints.reflection().registerTypeIfPresent(loader, name, type -> type.withField(field)));
        if (ClassUtils.isPresent(TOMCAT, loader) && ClassUtils.isPresent(CUSTOMIZER, loader)) {
            TomcatProcessorCache.registerHints(hints, loader);
        }
        registerMethodsOfLaterJdks(hints);
        hints.resources().registerPattern(SCRIPT);
        hints.resources().registerPattern(PAGE);
    }

    private static void registerProxy(
            RuntimeHints hints, @Nullable ClassLoader loader, String name, MemberCategory... called) {
        if (ClassUtils.isPresent(name, loader)) {
            hints.proxies().registerJdkProxy(TypeReference.of(name));
            hints.reflection().registerType(TypeReference.of(name), called);
        }
    }

    /** By name, as the code looks for them: this class is compiled for Java 17. */
    private static void registerMethodsOfLaterJdks(RuntimeHints hints) {
        register(hints, "java.net.http.HttpClient", "shutdown");
        register(hints, "java.net.http.HttpClient", "shutdownNow");
        register(hints, "java.net.http.HttpClient", "awaitTermination", "java.time.Duration");
        register(hints, "java.net.http.HttpClient", "isTerminated");
        register(hints, "java.net.http.HttpResponse", "connectionLabel");
        register(hints, "java.lang.Thread", "isVirtual");
        register(hints, "java.lang.Thread", "ofVirtual");
        register(hints, "java.lang.Thread$Builder", "name", "java.lang.String", "long");
        register(hints, "java.lang.Thread$Builder", "inheritInheritableThreadLocals", "boolean");
        register(hints, "java.lang.Thread$Builder", "factory");
        register(
                hints,
                "java.util.concurrent.Executors",
                "newThreadPerTaskExecutor",
                "java.util.concurrent.ThreadFactory");
    }

    private static void register(RuntimeHints hints, String type, String method, String... parameters) {
        List<TypeReference> types =
                Arrays.stream(parameters).map(TypeReference::of).toList();
        hints.reflection()
                .registerType(TypeReference.of(type), hint -> hint.withMethod(method, types, ExecutableMode.INVOKE));
    }
}

package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.collapseexecutor.architecture.LibraryClasses;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.hibernate.CollapsedSequenceGenerator;
import io.github.collapseexecutor.spring.boot.client.ServiceGroupConfigurer;
import io.github.collapseexecutor.spring.boot.cluster.LinkHealth;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.net.http.HttpClient;
import java.sql.PreparedStatement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.core.io.ClassPathResource;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** A native image is told of everything that the libraries find by name. No native image is built here: this holds what it is told. */
class NativeImageHintsTests {

    private final RuntimeHints hints = new RuntimeHints();

    /** As Spring finds it when it processes an application. */
    private void register(ClassLoader loader) {
        List<RuntimeHintsRegistrar> found =
                AotServices.factories().load(RuntimeHintsRegistrar.class).asList();
        assertThat(found).hasAtLeastOneElementOfType(NativeImageHints.class);
        found.stream()
                .filter(NativeImageHints.class::isInstance)
                .forEach(registrar -> registrar.registerHints(hints, loader));
    }

    @Test
    void proxiesAreRegistered() {
        register(getClass().getClassLoader());
        for (Class<?> type : List.of(
                RestClient.Builder.class,
                WebClient.Builder.class,
                HttpServletResponse.class,
                CsrfToken.class,
                PreparedStatement.class)) {
            assertThat(RuntimeHintsPredicates.proxies().forInterfaces(type)).accepts(hints);
            assertThat(type.getMethods())
                    .as("methods that the proxy passes on")
                    .allSatisfy(method -> assertThat(RuntimeHintsPredicates.reflection()
                                    .onType(type)
                                    .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                            .accepts(hints));
        }
        if (ClassUtils.isPresent(ServiceGroupConfigurer.REGISTRY, null)) {
            for (String name : NativeImageHints.CONFIGURERS) {
                assertThat(RuntimeHintsPredicates.proxies().forInterfaces(ClassUtils.resolveClassName(name, null)))
                        .accepts(hints);
            }
            for (String name : NativeImageHints.CALLED_BY_NAME) {
                assertThat(RuntimeHintsPredicates.reflection()
                                .onType(ClassUtils.resolveClassName(name, null))
                                .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                        .accepts(hints);
            }
        }
    }

    /** Those whose libraries these tests do without. */
    private static final List<String> WITHOUT = List.of(NativeImageHints.SUSPENDING, NativeImageHints.SHARDING);

    /** Without them, a native image takes a library for absent. */
    @Test
    void typesWhosePresenceDecidesAreFound() {
        register(getClass().getClassLoader());
        assertThat(NativeImageHints.DECIDING)
                .filteredOn(name -> !WITHOUT.contains(name))
                .allSatisfy(name -> assertThat(
                                RuntimeHintsPredicates.reflection().onType(ClassUtils.resolveClassName(name, null)))
                        .accepts(hints));
    }

    /** A field that is called otherwise would hide the redirects of its transport. */
    @Test
    void fieldsThatShowRedirectsAreThereAndRegistered() throws NoSuchFieldException {
        register(getClass().getClassLoader());
        int there = 0;
        for (Map.Entry<String, String> shown : NativeImageHints.SHOWING_REDIRECTS.entrySet()) {
            if (ClassUtils.isPresent(shown.getKey(), getClass().getClassLoader())) {
                there++;
                Class<?> type = ClassUtils.resolveClassName(shown.getKey(), null);
                String field = type.getDeclaredField(shown.getValue()).getName();
                assertThat(Objects.requireNonNull(hints.reflection().getTypeHint(type))
                                .fields())
                        .anyMatch(hint -> hint.getName().equals(field));
            }
        }
        assertThat(there)
                .isGreaterThanOrEqualTo(
                        NativeImageHints.SHOWING_REDIRECTS.size() - 1); // OkHttp's is gone since Spring 7
    }

    @Test
    void typesThatHibernateMakesAreRegistered() {
        register(getClass().getClassLoader());
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructor(CollapsedSequenceGenerator.class.getConstructors()[0])
                        .invoke())
                .accepts(hints);
    }

    @Test
    void resourcesAreRegisteredAndThere() {
        register(getClass().getClassLoader());
        for (String resource : List.of(NativeImageHints.SCRIPT, NativeImageHints.PAGE)) {
            assertThat(RuntimeHintsPredicates.resource().forResource(resource)).accepts(hints);
            assertThat(new ClassPathResource(resource).exists()).isTrue();
        }
    }

    /** Those that this version of Java has; on Java 17 there are none. */
    @Test
    void methodsOfNewerVersionsOfJavaAreRegistered() {
        register(getClass().getClassLoader());
        Set<String> newer =
                Set.of("shutdown", "shutdownNow", "awaitTermination", "isTerminated", "isVirtual", "ofVirtual");
        for (Class<?> type : List.of(HttpClient.class, Thread.class)) {
            for (Method method : type.getMethods()) {
                if (newer.contains(method.getName())) {
                    assertThat(RuntimeHintsPredicates.reflection()
                                    .onMethod(method)
                                    .invoke())
                            .as(method.toString())
                            .accepts(hints);
                }
            }
        }
    }

    @Test
    void theHealthOfTheLinkHasItsProxyAndItsMethods() {
        register(getClass().getClassLoader());
        String indicator = LinkHealth.INDICATORS.stream()
                .filter(name -> ClassUtils.isPresent(name, getClass().getClassLoader()))
                .findFirst()
                .orElseThrow();
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(TypeReference.of(indicator)))
                .accepts(hints);
        for (String called : List.of("", "$Builder")) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onType(TypeReference.of(LinkHealth.healthOf(indicator) + called))
                            .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                    .accepts(hints);
        }
    }

    @Test
    void hintsOfAnAbsentLibraryAreNotRegistered() {
        register(new FilteredClassLoader(
                "org.springframework.web", "jakarta.servlet", "io.github.collapseexecutor.hibernate"));
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(RestClient.Builder.class))
                .rejects(hints);
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(HttpServletResponse.class))
                .rejects(hints);
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(PreparedStatement.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(CollapsedSequenceGenerator.class))
                .rejects(hints);
    }

    /** A class that begins to look something up by name needs a hint, or a place in this list with the reason. */
    @Test
    void everyClassThatLooksSomethingUpByNameIsKnown() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new LibraryClasses())
                .importPackages("io.github.collapseexecutor");
        Set<String> looking = new TreeSet<>();
        for (JavaClass type : classes) {
            if (type.getAccessesFromSelf().stream().anyMatch(NativeImageHintsTests::looksUp)) {
                looking.add(type.getName().substring("io.github.collapseexecutor.".length()));
            }
        }
        assertThat(looking)
                .containsExactlyInAnyOrder(
                        "cluster.RedisLink", // the script
                        "core.DaemonThreads$1", // a constructor that native images find themselves
                        "core.DefaultExecutor", // methods of Java 21
                        "core.VirtualThreads",
                        "http.hc5.ApacheClientIdentity", // a constant name of a constant class, which native images
                        // find, too
                        "http.jdk.LaterMethods",
                        "http.servlet.Servlet61", // a method of the response, whose hint a proxy needs as well
                        "http.servlet.UserOfThread", // methods of Spring Security
                        "http.servlet.ServletPersonalToken", // this and those below: whether a library is there
                        "http.reactive.NativeHeaders",
                        "http.reactive.ObservedFollower",
                        "http.spring.HeadersByName",
                        "jdbc.connection.ConnectedDatabase",
                        "http.spring.SubscriberContext",
                        "http.webflux.HandlerAttributes",
                        "http.webflux.RouteAttributes",
                        "http.webflux.Users",
                        "http.webflux.WireTarget",
                        "spring.annotation.method.CallTransaction",
                        "spring.annotation.caller.CallerIdentities",
                        "spring.annotation.caller.CallersBeans",
                        "spring.annotation.method.MonoCalls",
                        "spring.annotation.method.SuspendingCalls",
                        "spring.boot.observe.CollapsedKeyValue",
                        "spring.boot.server.AnsweringFilters", // says nothing of a filter whose class it does not find
                        "spring.boot.server.FiltersInFront",
                        "spring.boot.NativeImageHints", // asks while the application is processed
                        "spring.boot.writes.NumberPool",
                        "spring.boot.server.ObservedRoutes",
                        "spring.boot.config.OptionsReader", // refuses names of filters that it does not find
                        "spring.boot.config.Artifact",
                        "spring.boot.observe.SpanLinks",
                        "spring.boot.report.StartReport", // says which library is missing
                        "spring.boot.cluster.LinkHealth", // which of two classes is there
                        "spring.boot.config.ProxyBean", // methods of classes that have moved, and of Spring 7
                        "spring.boot.server.TomcatProcessorCache", // a method of a class that has moved
                        "spring.annotation.DataSourceByThread",
                        "http.servlet.ShownResponse",
                        "jdbc.CallerTransaction",
                        "jdbc.SetterStatement",
                        "http.spring.HiddenField$1", // reads fields that have hints; else says what follows
                        "reactor.UserlessThread",
                        "spring.annotation.key.ArgumentEquality", // refuses what it cannot look into
                        "spring.annotation.key.KeyForms", // likewise
                        "spring.boot.client.BuilderProxy",
                        "spring.boot.client.ClientField", // likewise
                        "spring.boot.client.ServiceGroups");
        assertThat(classes.contain(CollapseExecutors.class)).isTrue();
    }

    private static boolean looksUp(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getName();
        return Arrays.asList(
                        "java.lang.reflect.Proxy.newProxyInstance",
                        "java.lang.Class.forName",
                        "java.lang.Class.getMethod",
                        "java.lang.Class.getConstructor",
                        "java.lang.Class.getDeclaredField",
                        "java.lang.Class.getDeclaredFields",
                        "java.lang.Class.getResourceAsStream",
                        "java.lang.invoke.MethodHandles$Lookup.findVirtual",
                        "org.springframework.util.ClassUtils.isPresent",
                        "org.springframework.util.ClassUtils.resolveClassName",
                        "org.springframework.util.ReflectionUtils.findField",
                        "org.springframework.util.ReflectionUtils.findMethod")
                .contains(owner + "." + name);
    }
}

package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.collapseexecutor.core.JoinMode;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import kotlin.Metadata;
import kotlin.coroutines.Continuation;
import kotlin.sequences.Sequence;
import kotlin.sequences.SequencesKt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.io.InputStreamResource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A method that cannot be collapsed stops the start, with the method, the reason and the remedy. */
@SuppressWarnings("unused")
class RefusedMethodsTests {

    static class Void0 {
        @Collapsible
        public void send(String text) {}
    }

    static class VoidFuture {
        @Collapsible
        public CompletableFuture<Void> send(String text) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class ManyAnswers {
        @Collapsible
        public Flux<String> all() {
            return Flux.empty();
        }
    }

    static class AStream {
        @Collapsible
        public Stream<String> all() {
            return Stream.of();
        }
    }

    static class AResource {
        @Collapsible
        public InputStream open(String name) {
            return InputStream.nullInputStream();
        }
    }

    static class AFuture {
        @Collapsible
        public Future<String> later() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class ADeferredResult {
        @Collapsible
        public DeferredResult<String> find() {
            return new DeferredResult<>();
        }
    }

    static class AnEmitter {
        @Collapsible
        public SseEmitter events() {
            return new SseEmitter();
        }
    }

    static class AStreamedBody {
        @Collapsible
        public StreamingResponseBody body() {
            return stream -> {};
        }
    }

    static class ATask {
        @Collapsible
        public WebAsyncTask<String> find() {
            return new WebAsyncTask<>(() -> "");
        }
    }

    static class AStreamOfAResource {
        @Collapsible
        public InputStreamResource open() {
            return new InputStreamResource(InputStream.nullInputStream());
        }
    }

    static class ASequence {
        @Collapsible
        public Sequence<String> all() {
            return SequencesKt.asSequence(Stream.<String>of().iterator());
        }
    }

    static class AnEnumeration {
        @Collapsible
        public Enumeration<String> all() {
            return Collections.emptyEnumeration();
        }
    }

    static class InAResponseEntity {
        @Collapsible
        public ResponseEntity<StreamingResponseBody> body() {
            return ResponseEntity.ok(stream -> {});
        }
    }

    static class InAnOptional {
        @Collapsible
        public Optional<InputStream> open() {
            return Optional.empty();
        }
    }

    static class InAFuture {
        @Collapsible
        public CompletableFuture<ResponseEntity<ResponseBodyEmitter>> events() {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class InAMono {
        @Collapsible
        public Mono<Optional<DeferredResult<String>>> find() {
            return Mono.empty();
        }
    }

    static class WholeAnswers {
        @Collapsible
        public ResponseEntity<String> find() {
            return ResponseEntity.ok("");
        }

        @Collapsible
        public Mono<ResponseEntity<Optional<byte[]>>> bytes() {
            return Mono.empty();
        }

        @Collapsible
        public ResponseEntity<?> any() {
            return ResponseEntity.ok("");
        }
    }

    /** As Kotlin compiles a suspend function; its annotation stands on every class that it has compiled. */
    @Metadata
    static class Suspending {
        @Collapsible
        public Object find(long id, Continuation<? super String> continuation) {
            return "";
        }
    }

    static class OfJava {
        @Collapsible
        public Object find(long id, Continuation<? super String> continuation) {
            return "";
        }
    }

    static class UnknownMethod {
        @Collapsible(key = "#id.foo()")
        public String find(String id) {
            return "";
        }
    }

    static class UnknownMethodOfAnAnswer {
        @Collapsible(key = "#p0.trim().foo() + #p1")
        public String find(String id, int page) {
            return "";
        }
    }

    static class UnknownProperty {
        @Collapsible(key = "#order.nr")
        public String find(Order order) {
            return "";
        }
    }

    static class WrongNumberOfArguments {
        @Collapsible(key = "{#p0, #id.charAt()}")
        public String find(String id) {
            return "";
        }
    }

    record Order(String number, Customer customer) {}

    /** May have a subclass with more. */
    static class Customer {
        public String name() {
            return "";
        }

        public boolean isGold() {
            return true;
        }
    }

    static class KnownMembers {
        @Collapsible(key = "#order.number + #p0.number() + #p0.customer.gold + #a0.customer?.nick + #order.hashCode()")
        public String order(Order order) {
            return "";
        }

        @Collapsible(key = "#id.substring(0, 1).length() + #id.bytes.length + #other.foo() + #ids[0].foo()")
        public String find(String id, Object other, String... ids) {
            return "";
        }
    }

    static class BadKey {
        @Collapsible(key = "#id +")
        public String find(long id) {
            return "";
        }
    }

    static class UnknownVariable {
        @Collapsible(key = "#idd")
        public String find(long id) {
            return "";
        }
    }

    static class NoVariable {
        @Collapsible(key = "id")
        public String find(long id) {
            return "";
        }
    }

    static class AnArray {
        @Collapsible
        public String find(byte[] id) {
            return "";
        }
    }

    static class AnIdentity {
        @Collapsible
        public String find(StringBuilder id) {
            return "";
        }
    }

    static class AnAddress {
        @Collapsible
        public String find(URL id) {
            return "";
        }
    }

    static class AListOfArrays {
        @Collapsible
        public String find(List<byte[]> ids) {
            return "";
        }
    }

    static class AnOptionalOfIdentities {
        @CollapseBatch(method = "all")
        public String find(long id, Map<String, Optional<? extends StringBuilder>> texts) {
            return "";
        }

        public Map<Long, String> all(List<Long> ids, Map<String, Optional<? extends StringBuilder>> texts) {
            return Map.of();
        }
    }

    static class BadTimeout {
        @Collapsible(timeout = "soon")
        public String find(long id) {
            return "";
        }
    }

    static class NoTimeout {
        @Collapsible(timeout = "0s")
        public String find(long id) {
            return "";
        }
    }

    static class TwoModes {
        @Collapsible(join = {JoinMode.FRESH, JoinMode.IN_FLIGHT})
        public String find(long id) {
            return "";
        }
    }

    static class APrivateMethod {
        @Collapsible
        private String find(long id) {
            return "";
        }
    }

    static class AFinalMethod {
        @Collapsible
        public final String find(long id) {
            return "";
        }
    }

    static class AStaticMethod {
        @Collapsible
        public static String find(long id) {
            return "";
        }
    }

    static final class AFinalClass {
        @Collapsible
        public String find(long id) {
            return "";
        }
    }

    interface Finder {
        String other(long id);
    }

    static class NotInTheInterface implements Finder {
        @Override
        public String other(long id) {
            return "";
        }

        @Collapsible
        public String find(long id) {
            return "";
        }
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(Void0.class, "returns nothing", "Remove the annotation"),
                Arguments.of(VoidFuture.class, "returns nothing", "Remove the annotation"),
                Arguments.of(ManyAnswers.class, "a Flux", "for example a List"),
                Arguments.of(AStream.class, "a Stream", "for example a List"),
                Arguments.of(AResource.class, "a InputStream", "whole answer"),
                Arguments.of(AFuture.class, "a Future", "CompletableFuture"),
                Arguments.of(ADeferredResult.class, "a DeferredResult", "whole answer"),
                Arguments.of(AnEmitter.class, "a SseEmitter", "whole answer"),
                Arguments.of(AStreamedBody.class, "a StreamingResponseBody", "whole answer"),
                Arguments.of(ATask.class, "a WebAsyncTask", "whole answer"),
                Arguments.of(AStreamOfAResource.class, "a InputStreamResource", "whole answer"),
                Arguments.of(ASequence.class, "a Sequence", "for example a List"),
                Arguments.of(AnEnumeration.class, "a Enumeration", "for example a List"),
                Arguments.of(InAResponseEntity.class, "a StreamingResponseBody", "whole answer"),
                Arguments.of(InAnOptional.class, "a InputStream", "whole answer"),
                Arguments.of(InAFuture.class, "a ResponseBodyEmitter", "whole answer"),
                Arguments.of(InAMono.class, "a DeferredResult", "whole answer"),
                Arguments.of(Suspending.class, "kotlinx-coroutines-reactor is not on the class path", "kotlin-reflect"),
                Arguments.of(OfJava.class, "its class is not one of Kotlin", "CompletableFuture or a Mono"),
                Arguments.of(BadKey.class, "key = \"#id +\" does not parse", "Correct the expression"),
                Arguments.of(
                        UnknownMethod.class,
                        "key = \"#id.foo()\" reads foo(), and a java.lang.String has no such method",
                        "Read one of "),
                Arguments.of(UnknownMethodOfAnAnswer.class, "reads foo(), and a java.lang.String has no", "trim()"),
                Arguments.of(UnknownProperty.class, "reads nr, and a " + Order.class.getName(), "number()"),
                Arguments.of(WrongNumberOfArguments.class, "reads charAt(), and a java.lang.String", "length()"),
                Arguments.of(UnknownVariable.class, "names #idd", "Use one of #id, #p0, #a0"),
                Arguments.of(NoVariable.class, "reads id of no object", "Begin with an argument"),
                Arguments.of(AnArray.class, "parameter 0 is of type byte[]", "say by key what counts"),
                Arguments.of(AnIdentity.class, "java.lang.StringBuilder", "say by key what counts"),
                Arguments.of(AnAddress.class, "java.net.URL", "say by key what counts"),
                Arguments.of(AListOfArrays.class, "parameter 0 holds objects of type byte[]", "say by key what counts"),
                Arguments.of(
                        AnOptionalOfIdentities.class,
                        "parameter 1 holds objects of type java.lang.StringBuilder",
                        "say by key what counts"),
                Arguments.of(BadTimeout.class, "timeout = \"soon\"", "500ms, 2s or PT2S"),
                Arguments.of(NoTimeout.class, "timeout = \"0s\"", "positive duration"),
                Arguments.of(TwoModes.class, "more than one mode", "Name one"),
                Arguments.of(APrivateMethod.class, "it is private", "public method"),
                Arguments.of(AFinalMethod.class, "it is final", "Remove final"),
                Arguments.of(AStaticMethod.class, "it is static", "public method"),
                Arguments.of(AFinalClass.class, "class of the bean is final", "Remove final"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void startFails(Class<?> bean, String reason, String remedy) {
        Refusals.assertRefused(bean, reason, remedy);
    }

    static class Holders {

        @Collapsible
        public String find(
                List<? extends Map<String, Optional<Object>>> objects, Map<Long, Number> numbers, List<?> any) {
            return "";
        }

        @Collapsible(key = "#p0.size()")
        public String count(List<byte[]> ids) {
            return "";
        }
    }

    @Test
    void parameterWhoseContentMayHaveEqualsIsNotRefused() {
        try (Application application = Application.start(Holders.class)) {
            assertThat(application.get(Holders.class).find(List.of(), Map.of(), List.of()))
                    .isEmpty();
        }
    }

    @Test
    void aKeyThatReadsWhatItsArgumentMayHaveIsNotRefused() {
        try (Application application = Application.start(KnownMembers.class)) {
            assertThat(application.get(KnownMembers.class)).isNotNull();
        }
    }

    @Test
    void wholeAnswersInAResponseEntityAreNotRefused() {
        try (Application application = Application.start(WholeAnswers.class)) {
            assertThat(application
                            .get(WholeAnswers.class)
                            .find()
                            .getStatusCode()
                            .value())
                    .isEqualTo(200);
        }
    }

    /** Makes a proxy before collapsing does. */
    private record Proxies(boolean interfaces, boolean opaque) implements BeanPostProcessor, Ordered {

        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (!(bean instanceof NotInTheInterface)) {
                return bean;
            }
            ProxyFactory factory = new ProxyFactory(bean);
            factory.setProxyTargetClass(!interfaces);
            factory.setOpaque(opaque);
            return factory.getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InterfaceProxies {
        @Bean
        static Proxies proxies() {
            return new Proxies(true, false);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OpaqueProxies {
        @Bean
        static Proxies proxies() {
            return new Proxies(false, true);
        }
    }

    @Test
    void methodThatAJdkProxyDoesNotHaveStopsTheStart() {
        InvalidCollapsingException refusal =
                Refusals.of(catchThrowable(() -> Application.start(InterfaceProxies.class, NotInTheInterface.class)
                        .close()));
        assertThat(refusal.reason()).contains("not on an interface of the bean's JDK proxy");
        assertThat(refusal.remedy()).contains("proxyTargetClass");
    }

    @Test
    void proxyThatHidesItsAdvisorsStopsTheStart() {
        InvalidCollapsingException refusal = Refusals.of(catchThrowable(() ->
                Application.start(OpaqueProxies.class, NotInTheInterface.class).close()));
        assertThat(refusal.reason()).contains("opaque or frozen");
    }
}

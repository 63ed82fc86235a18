package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.collapseexecutor.core.JoinMode;
import java.io.InputStream;
import java.net.URL;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
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

    /** As Kotlin compiles a suspend function. */
    static class Suspending {
        @Collapsible
        public Object find(long id, Continuation<? super String> continuation) {
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

    static class Both extends Batches {
        @Collapsible
        @CollapseBatch(method = "list", inOrder = true)
        public String find(Long id) {
            return "";
        }
    }

    static class Batches {
        public List<String> list(List<Long> ids) {
            return List.of();
        }

        public Map<Long, String> map(Collection<Long> ids) {
            return Map.of();
        }

        public Map<Long, Integer> numbers(Collection<Long> ids) {
            return Map.of();
        }

        public Map<String, String> texts(Collection<Long> ids) {
            return Map.of();
        }

        public Set<String> set(Collection<Long> ids) {
            return Set.of();
        }

        public String one(Collection<Long> ids) {
            return "";
        }

        public Map<Long, String> ofTexts(Collection<String> ids) {
            return Map.of();
        }

        public Map<Long, String> wider(Collection<Long> ids, String more) {
            return Map.of();
        }

        public Map<Long, String> twice(List<Long> ids) {
            return Map.of();
        }

        public Map<Long, String> twice(Set<Long> ids) {
            return Map.of();
        }

        private Map<Long, String> hidden(Set<Long> ids) {
            return Map.of();
        }

        public Mono<Map<Long, String>> later(Collection<Long> ids) {
            return Mono.empty();
        }
    }

    static class NoBatchMethod extends Batches {
        @CollapseBatch(method = "findAll")
        public String find(Long id) {
            return "";
        }
    }

    static class OtherItems extends Batches {
        @CollapseBatch(method = "ofTexts")
        public String find(Long id) {
            return "";
        }
    }

    static class MoreParameters extends Batches {
        @CollapseBatch(method = "wider")
        public String find(Long id) {
            return "";
        }
    }

    static class TwoThatFit extends Batches {
        @CollapseBatch(method = "twice")
        public String find(Long id) {
            return "";
        }
    }

    static class HiddenBatch extends Batches {
        @CollapseBatch(method = "hidden")
        public String find(Long id) {
            return "";
        }
    }

    static class NoOrder extends Batches {
        @CollapseBatch(method = "list")
        public String find(Long id) {
            return "";
        }
    }

    static class OrderOfASet extends Batches {
        @CollapseBatch(method = "set", inOrder = true)
        public String find(Long id) {
            return "";
        }
    }

    static class KeyOfAMap extends Batches {
        @CollapseBatch(method = "map", itemKey = "id")
        public String find(Long id) {
            return "";
        }
    }

    static class KeyAndOrder extends Batches {
        @CollapseBatch(method = "list", itemKey = "id", inOrder = true)
        public String find(Long id) {
            return "";
        }
    }

    static class BadItemKey extends Batches {
        @CollapseBatch(method = "list", itemKey = "id.")
        public String find(Long id) {
            return "";
        }
    }

    static class OneAnswer extends Batches {
        @CollapseBatch(method = "one")
        public String find(Long id) {
            return "";
        }
    }

    static class OtherValues extends Batches {
        @CollapseBatch(method = "numbers")
        public String find(Long id) {
            return "";
        }
    }

    static class OtherKeys extends Batches {
        @CollapseBatch(method = "texts")
        public String find(Long id) {
            return "";
        }
    }

    static class Later extends Batches {
        @CollapseBatch(method = "later")
        public String find(Long id) {
            return "";
        }
    }

    static class APrimitive {
        @CollapseBatch(method = "sizes")
        public long size(Long id) {
            return 0;
        }

        public Map<Long, Long> sizes(Collection<Long> ids) {
            return Map.of();
        }
    }

    static class NegativeSize extends Batches {
        @CollapseBatch(method = "map", maxBatchSize = -1)
        public String find(Long id) {
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
                Arguments.of(Suspending.class, "a suspend function of Kotlin", "CompletableFuture or a Mono"),
                Arguments.of(BadKey.class, "key = \"#id +\" does not parse", "Correct the expression"),
                Arguments.of(UnknownVariable.class, "names #idd", "Use one of #id, #p0, #a0"),
                Arguments.of(NoVariable.class, "reads id of no object", "Begin with an argument"),
                Arguments.of(AnArray.class, "parameter 0 is of type byte[]", "say by key what counts"),
                Arguments.of(AnIdentity.class, "java.lang.StringBuilder", "say by key what counts"),
                Arguments.of(AnAddress.class, "java.net.URL", "say by key what counts"),
                Arguments.of(BadTimeout.class, "timeout = \"soon\"", "500ms, 2s or PT2S"),
                Arguments.of(NoTimeout.class, "timeout = \"0s\"", "positive duration"),
                Arguments.of(TwoModes.class, "more than one mode", "Name one"),
                Arguments.of(APrivateMethod.class, "it is private", "public method"),
                Arguments.of(AFinalMethod.class, "it is final", "Remove final"),
                Arguments.of(AStaticMethod.class, "it is static", "public method"),
                Arguments.of(AFinalClass.class, "class of the bean is final", "Remove final"),
                Arguments.of(Both.class, "@Collapsible and @CollapseBatch", "Remove one"),
                Arguments.of(NoBatchMethod.class, "no other method of this name", "Name a method"),
                Arguments.of(OtherItems.class, "ofTexts(Collection)", "Name a method"),
                Arguments.of(MoreParameters.class, "wider(Collection, String)", "Name a method"),
                Arguments.of(TwoThatFit.class, "names 2 methods that fit", "a name of its own"),
                Arguments.of(HiddenBatch.class, "hidden is private", "public method"),
                Arguments.of(NoOrder.class, "which answer of the batch method's List", "inOrder = true"),
                Arguments.of(OrderOfASet.class, "a Set has no order", "itemKey"),
                Arguments.of(KeyOfAMap.class, "returns a Map", "Remove itemKey"),
                Arguments.of(KeyAndOrder.class, "both itemKey and inOrder", "Remove one"),
                Arguments.of(BadItemKey.class, "itemKey = \"id.\" does not parse", "Correct the expression"),
                Arguments.of(OneAnswer.class, "holds no answers", "Return a Map"),
                Arguments.of(OtherValues.class, "java.lang.Integer is no java.lang.String", "the same types"),
                Arguments.of(OtherKeys.class, "java.lang.Long is no java.lang.String", "the same types"),
                Arguments.of(Later.class, "in another way", "Let both return"),
                Arguments.of(APrimitive.class, "returns a primitive", "boxed type"),
                Arguments.of(NegativeSize.class, "maxBatchSize = -1", "at least 1"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void startFails(Class<?> bean, String reason, String remedy) {
        Throwable failure = catchThrowable(() -> Application.start(bean).close());
        InvalidCollapsingException refusal = refusal(failure);
        assertThat(refusal.method()).contains(bean.getName() + ".").contains("of bean \"");
        assertThat(refusal.reason()).contains(reason);
        assertThat(refusal.remedy()).contains(remedy).endsWith(".");
        assertThat(refusal).hasMessageContaining(refusal.method()).hasMessageContaining(refusal.remedy());
    }

    private static InvalidCollapsingException refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidCollapsingException refusal) {
                return refusal;
            }
        }
        throw new AssertionError("the start did not fail as it must", failure);
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
                refusal(catchThrowable(() -> Application.start(InterfaceProxies.class, NotInTheInterface.class)
                        .close()));
        assertThat(refusal.reason()).contains("not on an interface of the bean's JDK proxy");
        assertThat(refusal.remedy()).contains("proxyTargetClass");
    }

    @Test
    void proxyThatHidesItsAdvisorsStopsTheStart() {
        InvalidCollapsingException refusal = refusal(catchThrowable(() ->
                Application.start(OpaqueProxies.class, NotInTheInterface.class).close()));
        assertThat(refusal.reason()).contains("opaque or frozen");
    }
}

package io.github.collapseexecutor.spring.boot.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.boot.fixture.Backend;
import io.github.collapseexecutor.spring.boot.fixture.RecordingFailureAnalysisReporter;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** Annotated methods that cannot be shared with other instances stop the start, or are warned of. */
@ExtendWith(OutputCaptureExtension.class)
class SharedMethodsMistakesTests extends SharedMethodsFixture {

    @AfterEach
    void forgetTheReport() {
        RecordingFailureAnalysisReporter.take();
    }

    static class NoForm {

        @Collapsible(name = "plain")
        public String ofBasket(Basket basket) {
            return basket.number;
        }
    }

    static class NoFormInAList {

        @Collapsible(name = "plain")
        public String ofBaskets(List<Basket> baskets) {
            return baskets.get(0).number;
        }
    }

    static class NoCodec {

        @Collapsible(name = "plain")
        public Basket basket(String number) {
            return new Basket(number);
        }
    }

    static class OfAnything {

        @Collapsible(name = "plain")
        public Object anything(String number) {
            return number;
        }
    }

    static class NoFormForABatch {

        @CollapseBatch(method = "many", name = "plain")
        public String one(Basket basket) {
            return basket.number;
        }

        public Map<Basket, String> many(List<Basket> baskets) {
            return baskets.stream().collect(Collectors.toMap(basket -> basket, basket -> basket.number));
        }
    }

    static class NoCodecForABatch {

        @CollapseBatch(method = "many", name = "plain")
        public Basket one(String number) {
            return new Basket(number);
        }

        public Map<String, Basket> many(List<String> numbers) {
            return Map.of();
        }
    }

    private String failure(String scope, Class<?> type) {
        return application()
                .with((GenericApplicationContext context) ->
                        context.registerBean("mistaken", type, definition -> definition.setScope(scope)))
                .failure(YAML.formatted(redis.port()));
    }

    /** Calls with arguments of which it cannot be seen whether they are the same on other instances. */
    enum Unknown {
        ARGUMENT(NoForm.class) {
            @Override
            Object ask(ConfigurableApplicationContext context) {
                return context.getBean(NoForm.class).ofBasket(new Basket("7"));
            }
        },
        ELEMENT(NoFormInAList.class) {
            @Override
            Object ask(ConfigurableApplicationContext context) {
                return context.getBean(NoFormInAList.class).ofBaskets(List.of(new Basket("7")));
            }
        },
        ITEM(NoFormForABatch.class) {
            @Override
            Object ask(ConfigurableApplicationContext context) {
                return context.getBean(NoFormForABatch.class).one(new Basket("7"));
            }
        };

        // immutable
        final Class<?> bean;

        Unknown(Class<?> bean) {
            this.bean = bean;
        }

        abstract Object ask(ConfigurableApplicationContext context);
    }

    @ParameterizedTest
    @EnumSource
    void callsWithoutAFormAreNotSharedAndOneWarningNamesTypeAndRemedy(Unknown unknown, CapturedOutput output) {
        ConfigurableApplicationContext context = new TestApplication()
                .with((GenericApplicationContext beans) -> beans.registerBean("mistaken", unknown.bean))
                .start(YAML.formatted(redis.port()));
        contexts.add(context);
        assertThat(List.of(unknown.ask(context), unknown.ask(context))).containsOnly("7");
        assertThat(context.getBean(ClusterCalls.class).counts().led()).isZero();
        assertThat(redis.names()).isEmpty();
        assertThat(output.getAll())
                .containsOnlyOnce("of bean \"mistaken\" does not share a call with other instances")
                .contains("Basket has no form that is the same on all instances. Define a KeyForm bean");
    }

    @Test
    void anAnswerWithoutACodecIsRefused() {
        assertThat(failure("singleton", NoCodec.class))
                .contains("NoCodec.basket(String) of bean \"mistaken\"")
                .contains("has no codec, and is no plain value")
                .contains("Define one ResultCodec bean of this type", "\"plain\"");
    }

    @Test
    void anAnswerOfAnyTypeIsRefused() {
        assertThat(failure("singleton", OfAnything.class)).contains("has no codec, and is no plain value");
    }

    @Test
    void anAnswerOfABatchWithoutACodecIsRefused() {
        assertThat(failure("singleton", NoCodecForABatch.class)).contains("has no codec, and is no plain value");
    }

    @Test
    void aBeanWithABatchThatIsNoSingletonIsRefused() {
        ConfigurableApplicationContext context = new TestApplication()
                .with((GenericApplicationContext beans) -> beans.registerBean(
                        "mistaken", NoFormForABatch.class, definition -> definition.setScope("prototype")))
                .start(YAML.formatted(redis.port()));
        contexts.add(context);
        assertThat(catchThrowable(() -> context.getBean(NoFormForABatch.class)))
                .hasStackTraceContaining("the bean is no singleton, so that its name means several objects");
    }

    @Test
    void aBeanThatIsNoSingletonIsRefused() {
        ConfigurableApplicationContext context = new TestApplication()
                .with((GenericApplicationContext beans) -> {
                    beans.registerBean("backend", Backend.class, () -> backend);
                    beans.registerBean("shop", Shop.class, definition -> definition.setScope("prototype"));
                })
                .start(YAML.formatted(redis.port()));
        contexts.add(context);
        assertThat(catchThrowable(() -> context.getBean(Shop.class)))
                .hasStackTraceContaining("the bean is no singleton, so that its name means several objects");
    }

    @Test
    void twoCodecsOfOneTypeAreRefused() {
        assertThat(application(AnotherQuoteCodec.class).failure(YAML.formatted(redis.port())))
                .contains("Shop.quote(String)")
                .contains("the beans quoteCodec, anotherQuoteCodec are all codecs of its answer");
    }

    @Test
    void aContextWithAParentSharesNothing(CapturedOutput output) throws Exception {
        try (GenericApplicationContext parent = new GenericApplicationContext()) {
            parent.refresh();
            ConfigurableApplicationContext context = application()
                    .with((GenericApplicationContext beans) -> beans.setParent(parent))
                    .start(YAML.formatted(redis.port()));
            contexts.add(context);
            backend.held.complete(null);
            assertThat(got(ask(context, null, Way.PLAIN))).isEqualTo("tea of nobody, call 1");
            assertThat(context.getBean(ClusterCalls.class).counts().led()).isZero();
            assertThat(output.getAll()).containsOnlyOnce("the context has a parent");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherQuoteCodec {

        @Bean
        ResultCodec<Quote> anotherQuoteCodec() {
            return ResultCodec.of(quote -> new byte[0], bytes -> new Quote(""));
        }
    }
}

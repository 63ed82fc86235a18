package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.spring.annotation.CallInTransaction;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.CollapsingSettings;
import io.github.collapseexecutor.spring.annotation.config.EnableCollapsing;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Annotated methods in an application of Spring Boot: no line of configuration, listeners, meters, properties and messages. */
class AnnotatedMethodsTests {

    static class Names {

        @Collapsible
        public String name(long id) {
            return "name " + id;
        }

        @CollapseBatch(method = "all", timeout = "${patience:1s}")
        public String one(Long id) {
            return "alone " + id;
        }

        public Map<Long, String> all(Collection<Long> ids) {
            return ids.stream().collect(Collectors.toMap(Function.identity(), id -> "batch " + id));
        }
    }

    static class Unfit {

        @Collapsible(key = "#nobody")
        public String name(long id) {
            return "";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Watched {

        // immutable
        final List<String> told = new CopyOnWriteArrayList<>();

        @Bean
        Names names() {
            return new Names();
        }

        @Bean
        CollapseListener listener() {
            return (BatchSummary batch) -> told.add(batch.executor() + " " + batch.size());
        }

        @Bean
        SimpleMeterRegistry simpleMeterRegistry() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCollapsing
    static class Enabled {}

    private static ConfigurableApplicationContext start(String yaml, Class<?>... more) {
        return new TestApplication().with(Watched.class).with(more).start(yaml);
    }

    @Test
    void listenersAndMetersKnowEachMethodByItsName() {
        try (ConfigurableApplicationContext context = start("")) {
            Names names = context.getBean(Names.class);
            assertThat(names.name(7)).isEqualTo("name 7");
            assertThat(names.one(7L)).isEqualTo("batch 7");
            assertThat(context.getBean(Watched.class).told).containsExactly("names.name 1", "names.one 1");
            SimpleMeterRegistry registry = context.getBean(SimpleMeterRegistry.class);
            for (String name : List.of("names.name", "names.one")) {
                assertThat(registry.get("collapse.calls")
                                .tag("name", name)
                                .timer()
                                .count())
                        .isEqualTo(1);
                assertThat(registry.get("collapse.pending")
                                .tag("name", name)
                                .gauge()
                                .value())
                        .isZero();
            }
        }
    }

    @Test
    void enableCollapsingBesideTheAutoConfigurationChangesNothing() {
        try (ConfigurableApplicationContext context = start("", Enabled.class)) {
            assertThat(context.getBean(Names.class).one(7L)).isEqualTo("batch 7");
            assertThat(context.getBean(Watched.class).told).hasSize(1);
        }
    }

    @Test
    void propertiesOfGatheringAreTheDefaults() {
        try (ConfigurableApplicationContext context = start("""
                collapse.executor:
                  max-batch-size: 7
                  join: in-flight
                  annotations.in-transaction: refuse
                """)) {
            CollapsingSettings settings = context.getBean(CollapsingSettings.class);
            assertThat(settings.options().maxBatchSize()).isEqualTo(7);
            assertThat(settings.options().joinMode()).isEqualTo(JoinMode.IN_FLIGHT);
            assertThat(settings.inTransaction()).isEqualTo(CallInTransaction.REFUSE);
        }
    }

    @Test
    void switchesLeaveTheBeansAsTheyAre() {
        for (String off : List.of("collapse.executor.enabled: false", "collapse.executor.annotations.enabled: false")) {
            try (ConfigurableApplicationContext context = start(off)) {
                Names names = context.getBean(Names.class);
                assertThat(names.one(7L)).isEqualTo("alone 7");
                assertThat(AopUtils.isAopProxy(names)).isFalse();
            }
        }
    }

    @Test
    void methodThatCannotBeCollapsedIsAMessageWithTheRemedy() {
        String message = new TestApplication()
                .with(context -> context.registerBean("unfit", Unfit.class))
                .failure("");
        assertThat(message).isEqualTo("""
                        A method cannot be collapsed:

                            Method: @Collapsible %s.name(long) of bean "unfit"
                            Reason: key = "#nobody" names #nobody, and there is no parameter of this name

                        Use one of #id, #p0, #a0.""".formatted(Unfit.class.getName()));
    }

    @Test
    void unknownPropertyIsRefused() {
        assertThatThrownBy(() -> start("collapse.executor.annotations.in-transactions: pass")
                        .close())
                .hasStackTraceContaining("in-transactions");
    }
}

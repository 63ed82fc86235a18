package io.github.collapseexecutor.spring.boot.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A switch is off for a condition if it is off for what is bound. */
class ConditionalOnSwitchesTests {

    private static final String SWITCH = "collapse.executor.annotations.enabled";

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(Switched.class);

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0", "OFF"})
    void aValueThatSpringReadsAsFalseSwitchesOff(String value) {
        runner.withPropertyValues(SWITCH + "=" + value)
                .run(context -> assertThat(context).doesNotHaveBean(Switched.class));
        runner.withPropertyValues("collapse.executor.enabled=" + value)
                .run(context -> assertThat(context).doesNotHaveBean(Switched.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "yes", "1", ""})
    void aValueThatSpringReadsAsTrueDoesNot(String value) {
        runner.withPropertyValues(SWITCH + "=" + value)
                .run(context -> assertThat(context).hasSingleBean(Switched.class));
    }

    @Test
    void aSwitchThatIsNotThereIsOn() {
        runner.run(context -> assertThat(context).hasSingleBean(Switched.class));
    }

    @Test
    void aValueThatIsNeitherStopsTheStart() {
        assertThat(new TestApplication().alone().with(Switched.class).failure(SWITCH + ": perhaps"))
                .contains("Property: " + SWITCH)
                .contains("Value: \"perhaps\"")
                .contains("it must be true or false");
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSwitches({"enabled", "annotations.enabled"})
    static class Switched {

        @Bean
        String made() {
            return "made";
        }
    }
}

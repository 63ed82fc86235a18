package io.github.collapseexecutor.spring.boot.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.spring.boot.NamedExecutors;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.fixture.RecordingFailureAnalysisReporter;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Mistakes under {@code collapse.executor.cluster}, which stop the start or are warned of. */
class ClusterConfigurationMistakesTests extends ClusterConfigurationFixture {

    @AfterEach
    void forgetTheReport() {
        RecordingFailureAnalysisReporter.take();
    }

    @Test
    void aMissingSecretIsRefusedWithTheRemedy() {
        assertThat(new TestApplication().failure(yaml().replace("secret: " + SECRET, "# no secret")))
                .contains("Property: collapse.executor.cluster.secret")
                .contains("it is missing, and collapse.executor.executors.users.cluster needs it")
                .contains("Set it to at least 16 random bytes", "cluster.enabled: false");
    }

    @Test
    void aSecretOfAVariableThatIsNotSetIsRefused() {
        assertThat(new TestApplication().failure(yaml().replace(SECRET, "${SECRET_THAT_NOBODY_HAS_SET}")))
                .contains("Property: collapse.executor.cluster.secret")
                .contains("it names ${SECRET_THAT_NOBODY_HAS_SET}, which is not set")
                .contains("Set SECRET_THAT_NOBODY_HAS_SET to at least 16 random bytes");
    }

    /** A configuration that is common to all applications would have them share. */
    @Test
    void anApplicationWithoutANameNeedsAPrefix() {
        assertThat(new TestApplication().failure(yaml().replace("    prefix: shop\n", "")))
                .contains("Property: collapse.executor.cluster.prefix")
                .contains("neither it nor spring.application.name is set")
                .contains("Set spring.application.name, or collapse.executor.cluster.prefix");
    }

    @ParameterizedTest
    @CsvSource({"secret: s3cret", "secret: {nested: s3cret}"})
    void aSecretIsNotShown(String secret) {
        assertThat(new TestApplication().failure(yaml().replace("secret: " + SECRET, secret)))
                .contains("Property: collapse.executor.cluster.secret")
                .contains("Value: \"(not shown)\"")
                .doesNotContain("s3cret");
    }

    @Test
    void thePropertiesDoNotShowTheSecret() {
        assertThat(start(yaml()).getBean(CollapseExecutorProperties.class))
                .asString()
                .contains("prefix=shop")
                .doesNotContain(SECRET);
    }

    @ParameterizedTest
    @CsvSource({
        "prefix, a{b}, it must not be empty",
        "max-delay, 0, it must be from 1 ms to 20 s",
        "lease, 1m, it must be from 1 ms to 20 s",
        "max-wait, 0, it must be from 1 ms to 20 s",
        "max-wait-ratio, 1.0, it must be from 0 to below 1",
        "max-result-size, 9MB, it must be from 1 byte to 8 MiB",
        "max-result-size, 9000GB, it must be from 1 byte to 8 MiB",
        "join, soon, it must be fresh or in-flight",
    })
    void aValueThatIsNotAllowedIsRefused(String key, String value, String reason) {
        assertThat(new TestApplication().failure("collapse.executor.cluster." + key + ": \"" + value + "\""))
                .contains("Property: collapse.executor.cluster." + key)
                .contains("Value: \"" + value + "\"")
                .contains(reason);
    }

    @Test
    void anExecutorOfAFunctionIsRefused() {
        assertThat(new TestApplication().with(OfFunction.class).failure(yaml()))
                .contains("Property: collapse.executor.executors.users.cluster")
                .contains("executors of callables share calls with other instances");
    }

    @Test
    void aSectionIsRefused() {
        assertThat(new TestApplication().failure(yaml().replace("users:", "rest-template:")))
                .contains("Property: collapse.executor.executors.rest-template.cluster")
                .contains("this is the name of a section", "collapse.executor.rest-template.cluster and");
    }

    @Test
    void twoCodecsForOneExecutorAreRefused() {
        assertThat(new TestApplication()
                        .with(NameCodec.class, AnotherCodec.class, OfCallables.class)
                        .failure(yaml()))
                .contains("Property: collapse.executor.executors.users.cluster")
                .contains("the beans nameCodec, anotherCodec are all codecs");
    }

    @Test
    void withoutAConnectionFactoryTheRemedyIsNamed() {
        assertThat(new TestApplication().alone().failure(yaml()))
                .contains("Property: collapse.executor.executors.users.cluster")
                .contains("there is not one ReactiveRedisConnectionFactory bean", "Lettuce", "@Primary");
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherCodec {

        @Bean
        @Qualifier("users") ResultCodec<Object> anotherCodec() {
            return ResultCodec.ofPlainValues();
        }

        @Bean
        @Qualifier("others") ResultCodec<Object> codecOfOthers() {
            return ResultCodec.ofPlainValues();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfCallables {

        OfCallables(@Qualifier("users") BlockingCallableGroupCollapseExecutor users) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OfFunction {

        OfFunction(NamedExecutors executors) {
            Object unused = executors.make(
                    "users",
                    options -> CollapseExecutors.<Integer, String>blockingByKey(
                            ids -> Map.of(), MissingKeyPolicy.NULL, options));
        }
    }
}

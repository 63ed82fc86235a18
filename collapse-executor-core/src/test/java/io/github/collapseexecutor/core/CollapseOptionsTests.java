package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Defaults, copies, and what is said of values that cannot be. */
class CollapseOptionsTests {

    private static Arguments row(Consumer<CollapseOptions.Builder> setting, String message) {
        return Arguments.of(setting, message);
    }

    static Stream<Arguments> badValues() {
        return Stream.of(
                row(b -> b.name(" "), "name is blank: give the executor a name to report under"),
                row(b -> b.maxBatchSize(0), "maxBatchSize is 0: it must be at least 1; leave it unset for no limit"),
                row(
                        b -> b.maxBatchWeight(-1),
                        "maxBatchWeight is -1: it must be at least 1; leave it unset for no limit"),
                row(
                        b -> b.maxConcurrentBatches(-1),
                        "maxConcurrentBatches is -1: it must be at least 1; leave it unset for no limit"),
                row(
                        b -> b.maxConcurrentBatchesTotal(0),
                        "maxConcurrentBatchesTotal is 0: it must be at least 1; leave it unset for no limit"),
                row(b -> b.maxPending(0), "maxPending is 0: it must be at least 1; leave it unset for no limit"),
                row(
                        b -> b.maxWaitRatio(-0.1),
                        "maxWaitRatio is -0.1: it must be at least 0 and below 1, for example 0.1"),
                row(b -> b.maxWaitRatio(1), "maxWaitRatio is 1.0: it must be at least 0 and below 1, for example 0.1"),
                row(
                        b -> b.maxWaitRatio(Double.NaN),
                        "maxWaitRatio is NaN: it must be at least 0 and below 1, for example 0.1"),
                row(b -> b.maxWait(Duration.ofMillis(-1)), "maxWait is PT-0.001S: it must not be negative"),
                row(
                        b -> b.maxWait(Duration.ofDays(365_000)),
                        "maxWait is PT8760000H: at most about 292 years can be counted in nanoseconds"),
                row(
                        b -> b.maxJoinAge(Duration.ZERO),
                        "maxJoinAge is PT0S: it must be positive; leave it unset to join a call as long as it runs"),
                row(b -> b.waitThreshold(-1), "waitThreshold is -1: it must not be negative"),
                row(
                        b -> b.callTimeout(Duration.ZERO),
                        "callTimeout is PT0S: it must be positive; leave it unset for no time-out"));
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void aBadValueIsRefusedWithTheSettingTheValueAndTheRemedy(
            Consumer<CollapseOptions.Builder> setting, String message) {
        assertThatThrownBy(() -> setting.accept(CollapseOptions.builder()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void theDefaultsDelayNobodyAndLimitNothing() {
        CollapseOptions defaults = CollapseOptions.defaults();
        assertThat(defaults.name()).isEqualTo("collapse-executor");
        assertThat(defaults.maxBatchSize()).isEqualTo(CollapseOptions.UNLIMITED);
        assertThat(defaults.maxBatchWeight()).isEqualTo(CollapseOptions.UNLIMITED_WEIGHT);
        assertThat(defaults.maxConcurrentBatches()).isEqualTo(CollapseOptions.UNLIMITED);
        assertThat(defaults.maxConcurrentBatchesTotal()).isEqualTo(CollapseOptions.UNLIMITED);
        assertThat(defaults.maxPending()).isEqualTo(CollapseOptions.UNLIMITED);
        assertThat(defaults.maxWaitRatio()).isEqualTo(0.1);
        assertThat(defaults.maxWait()).isEqualTo(Duration.ofSeconds(1));
        assertThat(defaults.waitThreshold()).isEqualTo(10);
        assertThat(defaults.collectingWaitTime()).isZero();
        assertThat(defaults.joinMode()).isEqualTo(JoinMode.FRESH);
        assertThat(defaults.maxJoinAge()).isNull();
        assertThat(defaults.atMostOnce()).isFalse();
        assertThat(defaults.callTimeout()).isNull();
        assertThat(defaults.listener()).isNull();
    }

    @Test
    void aCopyKeepsEverySettingAndIsIndependentOfItsBuilder() {
        CollapseListener listener = batch -> {};
        ContextCarrier carrier = new ContextCarrier() {
            @Override
            public Object capture() {
                return "context";
            }

            @Override
            public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
                return execution.call();
            }
        };
        CollapseOptions.Builder builder = CollapseOptions.builder()
                .name("users")
                .maxBatchSize(1)
                .maxBatchWeight(9)
                .maxConcurrentBatches(2)
                .maxConcurrentBatchesTotal(11)
                .maxPending(3)
                .maxWaitRatio(0.4)
                .maxWait(Duration.ofMillis(5))
                .waitThreshold(6)
                .collectingWaitTime(Duration.ofMillis(7))
                .joinMode(JoinMode.IN_FLIGHT)
                .maxJoinAge(Duration.ofMillis(10))
                .atMostOnce(true)
                .callTimeout(Duration.ofMillis(8))
                .listener(listener)
                .contextCarrier(carrier)
                .callWrapper(new Unchanged());
        CollapseOptions built = builder.build();
        builder.name("changed").maxBatchSize(100);
        CollapseOptions copy = built.toBuilder().build();
        assertThat(copy).usingRecursiveComparison().isEqualTo(built);
        assertThat(copy.name()).isEqualTo("users");
        assertThat(copy.maxBatchSize()).isEqualTo(1);
        assertThat(copy.maxBatchWeight()).isEqualTo(9);
        assertThat(copy.contextCarrier()).isSameAs(carrier);
        assertThat(copy.callWrapper()).isInstanceOf(Unchanged.class);
        assertThat(copy.listener()).isSameAs(listener);
    }

    private static final class Unchanged implements CallWrapper {

        @Override
        public Callable<?> wrapCall(Object group, Callable<?> callable) {
            return callable;
        }

        @Override
        public Callable<? extends CompletionStage<?>> wrapStage(
                Object group, Callable<? extends CompletionStage<?>> callable) {
            return callable;
        }
    }
}

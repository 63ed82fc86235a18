package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** What the options of the experiments mean, and how those are refused that mean nothing. */
class LoadOptionsTests {

    @Test
    void durabilityIsNamedOnceEach() {
        assertThat(Durability.parse("")).isEmpty();
        assertThat(Durability.parse("both")).containsExactly(Durability.STRICT, Durability.RELAXED);
        assertThat(Durability.parse("write-optimized, strict,both"))
                .containsExactly(Durability.WRITE_OPTIMIZED, Durability.STRICT, Durability.RELAXED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"strickt", "strict,", "STRICT"})
    void unknownDurabilityIsRefused(String value) {
        assertThatThrownBy(() -> Durability.parse(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("load.durability is \"" + value + "\": it must be strict, relaxed or");
    }

    @Test
    void rampIsUsersAndTheirTime() {
        assertThat(Ramp.parse("500:60s")).isEqualTo(new Ramp(500, Duration.ofSeconds(60)));
        assertThat(Ramp.parse("1:1500ms").seconds()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"500", "500:", ":60s", "0:60s", "many:60s", "500:0.5s", "500:999ms", "500:2h", "500:60s:1"})
    void rampThatIsNoneIsRefused(String value) {
        assertThatThrownBy(() -> Ramp.parse(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("load.ramp is \"" + value + "\"")
                .hasMessageContaining("such as 500:60s");
    }

    @ParameterizedTest
    @CsvSource({
        "load, LoadRun",
        "load.ramp, RampRun",
        "load.requests, GroupSizeRun",
        "load.hang, HangRun",
    })
    void optionChoosesTheExperiment(String option, String experiment) {
        Environment environment = environment(option, "");
        assertThat(GroupCommitSampleApplication.experiment(environment)
                        .orElseThrow()
                        .getSimpleName())
                .isEqualTo(experiment);
        assertThat(GroupCommitSampleApplication.experiment(environment("load.users", "1")))
                .isEmpty();
    }

    @Test
    void optionThatMeansNothingEndsTheShop() {
        assertThatThrownBy(() -> GroupCommitSampleApplication.main(new String[] {
                    "--server.port=0", "--spring.datasource.url=jdbc:h2:mem:refused", "--load.requests=7"
                }))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("load.requests is \"7\"")
                .hasMessageContaining("such as 700:1000");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.equals("container-0"));
    }

    @ParameterizedTest
    @CsvSource({"default, NO_WINDOW, 200, 0", "group-20, GROUPS_OF_20, 20, 1", "group-200, GROUPS_OF_200, 200, 5"})
    void profileChoosesHowRowsGather(String profile, Gathering gathering, int size, int millis) {
        StandardEnvironment environment = new StandardEnvironment();
        ConfigDataEnvironmentPostProcessor.applyTo(environment, null, null, profile);
        assertThat(Gathering.of(environment)).isEqualTo(gathering);
        assertThat(gathering.options().maxBatchSize()).isEqualTo(size);
        assertThat(gathering.options().collectingWaitTime()).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void unknownGatheringIsRefused() {
        Environment environment = environment("shop.gathering", "groups-of-7");
        assertThatThrownBy(() -> Gathering.of(environment))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("shop.gathering");
    }

    private static Environment environment(String name, String value) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("options", Map.of(name, value)));
        return environment;
    }
}

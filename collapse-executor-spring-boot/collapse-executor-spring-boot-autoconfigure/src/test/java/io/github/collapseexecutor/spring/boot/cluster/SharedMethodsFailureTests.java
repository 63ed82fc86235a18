package io.github.collapseexecutor.spring.boot.cluster;

import static io.github.collapseexecutor.spring.boot.cluster.ClusterConfigurationFixture.awaitOneWaiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterRedis;
import io.github.collapseexecutor.cluster.ResultCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Failures of annotated methods that two applications share, and of what is between these. */
class SharedMethodsFailureTests extends SharedMethodsFixture {

    @Test
    void eachInstanceMakesACallThatFails() throws Exception {
        ConfigurableApplicationContext first = start();
        ConfigurableApplicationContext second = start();
        Future<Object> led = ask(first, null, shop -> shop.broken("tea"));
        await().until(() -> backend.calls.get() == 1);
        Future<Object> other = ask(second, null, shop -> shop.broken("tea"));
        awaitOneWaiter(second);
        backend.held.complete(null);
        assertThat(failure(led)).hasMessage("no tea, call 1");
        assertThat(failure(other)).hasMessage("no tea, call 2");
    }

    /** It has asked for another answer than the one that its call would give now. */
    @Test
    void anArgumentThatChangesWhileItsCallerWaitsForAnotherInstanceFailsItsCall() throws Exception {
        ConfigurableApplicationContext first = start();
        ConfigurableApplicationContext second = start();
        List<String> lines = new ArrayList<>(List.of("tea"));
        Future<Object> led = ask(first, null, shop -> shop.brokenOnce(List.of("tea")));
        await().until(() -> backend.calls.get() == 1);
        Future<Object> other = ask(second, null, shop -> shop.brokenOnce(lines));
        awaitOneWaiter(second);
        lines.add("gold");
        backend.held.complete(null);
        assertThat(failure(led)).hasMessage("the first call");
        assertThat(failure(other)).hasMessageContaining("an argument has changed between the call and its execution");
        assertThat(backend.calls).hasValue(1);
    }

    private Throwable failure(Future<Object> answer) throws Exception {
        try {
            throw new AssertionError("no failure, but " + got(answer));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    @Test
    void anAnswerThatCannotBeReadIsComputedAgain() throws Exception {
        ConfigurableApplicationContext first = start(UnreadableCodec.class);
        ConfigurableApplicationContext second = start(UnreadableCodec.class);
        Future<Object> led = ask(first, null, Way.PLAIN);
        await().until(() -> backend.calls.get() == 1);
        Future<Object> other = ask(second, null, Way.PLAIN);
        awaitOneWaiter(second);
        backend.held.complete(null);
        assertThat(got(led)).isEqualTo("tea of nobody, call 1");
        assertThat(got(other)).isEqualTo("tea of nobody, call 2");
    }

    @Test
    void withoutRedisEachInstanceMakesItsCalls() throws Exception {
        try (ClusterRedis mortal = new ClusterRedis()) {
            String yaml = YAML.formatted(mortal.port()).replace("max-delay: 10s", "max-delay: 3s");
            ConfigurableApplicationContext first = start(yaml);
            ConfigurableApplicationContext second = start(yaml);
            Future<Object> led = ask(first, null, Way.PLAIN);
            await().until(() -> backend.calls.get() == 1);
            Future<Object> other = ask(second, null, Way.PLAIN);
            await().until(() -> mortal.names().stream()
                    .anyMatch(
                            name -> mortal.commands().hkeys(name).stream().anyMatch(field -> field.matches("w.{16}"))));
            mortal.kill();
            await().until(() -> backend.calls.get() == 2);
            backend.held.complete(null);
            assertThat(got(led)).isEqualTo("tea of nobody, call 1");
            assertThat(got(other)).isEqualTo("tea of nobody, call 2");
            assertThat(got(ask(first, ann("READ"), Way.MONO))).isEqualTo("tea of ann[READ], call 3");
        }
    }

    /** Read by the name of the executor. */
    @Configuration(proxyBeanMethods = false)
    static class UnreadableCodec {

        @Bean
        @Qualifier("plain") ResultCodec<String> unreadableCodec() {
            return ResultCodec.of(text -> text.getBytes(StandardCharsets.UTF_8), bytes -> {
                throw new IOException("not readable");
            });
        }
    }
}

package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.sample.advanced.readme.NamedExecutorExamples.Users;
import io.github.collapseexecutor.spring.boot.NamedExecutors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The example of a named executor: its options are those of the documented YAML, and its callers share a call. */
class NamedExecutorExamplesTests {

    private static final int CALLERS = 20;

    // mutable, thread-safe
    private final List<Collection<Long>> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() {
        Users users = ids -> {
            calls.add(List.copyOf(ids));
            await(released);
            return ids.stream().collect(Collectors.toMap(Function.identity(), id -> new User(id, "user " + id)));
        };
        context = new SpringApplicationBuilder(NamedExecutorExamples.class)
                .web(WebApplicationType.NONE)
                .initializers(starting -> starting.getBeanFactory().registerSingleton("store", users))
                .run("--spring.config.location=classpath:/readme/executors.yaml");
    }

    @AfterEach
    void close() {
        context.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void callersOfOneUserShareTheCallInFlight() throws Exception {
        BlockingCollapseExecutor<Long, User> loader = context.getBean("userLoader", BlockingCollapseExecutor.class);
        List<FutureTask<User>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            FutureTask<User> answer = new FutureTask<>(() -> loader.execute(7L));
            answers.add(answer);
            new Thread(answer).start();
        }
        while (loader.counts().callers() < CALLERS) {
            LockSupport.parkNanos(1_000_000);
        }
        released.countDown();
        for (FutureTask<User> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS).name()).isEqualTo("user 7");
        }
        assertThat(calls).containsExactly(List.of(7L));
    }

    @Test
    void theOptionsAreThoseOfTheYaml() {
        List<CollapseOptions> made = new ArrayList<>();
        context.getBean(NamedExecutors.class).make("users", options -> {
            made.add(options);
            return new BlockingCallableGroupCollapseExecutor(options);
        });
        assertThat(made).singleElement().satisfies(options -> {
            assertThat(options.joinMode()).isEqualTo(JoinMode.IN_FLIGHT);
            assertThat(options.maxBatchSize()).isEqualTo(200);
            assertThat(options.maxWait()).isEqualTo(Duration.ofMillis(500));
        });
    }
}

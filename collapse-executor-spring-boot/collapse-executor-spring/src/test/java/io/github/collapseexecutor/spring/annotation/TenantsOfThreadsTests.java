package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import reactor.core.publisher.Mono;

/** A method that hands over later may run on any thread, and answers for no tenant but that of its caller. */
class TenantsOfThreadsTests {

    private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    @Configuration(proxyBeanMethods = false)
    static class Identities {

        @Bean
        CallerIdentity tenant() {
            return TENANT::get;
        }
    }

    static class Accounts {

        // immutable
        private final Gate gate;

        Accounts(Gate gate) {
            this.gate = gate;
        }

        private <T> CompletableFuture<T> later(T answer) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        gate.pass(answer);
                        return answer;
                    },
                    task -> new Thread(task).start());
        }

        @Collapsible(name = "future")
        public CompletableFuture<String> future(String account) {
            return later(account + " of " + TENANT.get());
        }

        @Collapsible(name = "mono")
        public Mono<String> mono(String account) {
            return Mono.fromFuture(later(account + " of " + TENANT.get()));
        }

        @CollapseBatch(method = "many", name = "futures")
        public CompletableFuture<String> one(String account) {
            throw new AssertionError("only the batch method is called");
        }

        public CompletableFuture<Map<String, String>> many(Collection<String> accounts) {
            Map<String, String> answers = new HashMap<>();
            accounts.forEach(account -> answers.put(account, account + " of " + TENANT.get()));
            return later(answers);
        }
    }

    /** The ways to ask. */
    enum Way {
        FUTURE,
        MONO,
        FUTURES;

        String executor() {
            return name().toLowerCase(Locale.ROOT);
        }

        String ask(Accounts accounts) throws Exception {
            return switch (this) {
                case FUTURE -> accounts.future("money").get();
                case MONO -> accounts.mono("money").block();
                case FUTURES -> accounts.one("money").get();
            };
        }
    }

    private static String tenant(int caller) {
        return caller % 2 == 0 ? "a" : "b";
    }

    private static String as(String tenant, Way way, Accounts accounts) throws Exception {
        TENANT.set(tenant);
        try {
            return way.ask(accounts);
        } catch (ExecutionException | CompletionException failed) {
            return String.valueOf(failed.getCause());
        } catch (IllegalStateException refused) {
            return refused.toString();
        } finally {
            TENANT.remove();
        }
    }

    private static List<String> twenty(Way way, Application application) throws Exception {
        return Burst.of(
                20,
                application.get(Gate.class),
                application.executor(way.executor()),
                caller -> () -> as(tenant(caller), way, application.get(Accounts.class)));
    }

    /** The first call of each tenant runs on the thread of its caller, and those that gather meanwhile on the thread that ends it. */
    @ParameterizedTest
    @EnumSource
    void callIsRefusedOnAThreadThatHasNotTheTenantOfItsCaller(Way way) throws Exception {
        try (Application application = Application.start(Accounts.class, Identities.class)) {
            List<String> answers = twenty(way, application);
            for (int i = 0; i < answers.size(); i++) {
                if (!answers.get(i).equals("money of " + tenant(i))) {
                    assertThat(answers.get(i))
                            .contains(
                                    "IllegalStateException",
                                    "Accounts.",
                                    "is [null] and not [" + tenant(i) + "]",
                                    "ContextCarrier");
                }
            }
            assertThat(answers).contains("money of a", "money of b");
            assertThat(answers)
                    .filteredOn(answer -> answer.contains("was not called"))
                    .hasSize(18);
        }
    }

    /** Takes the tenant along. */
    static final class TenantCarrier implements ContextCarrier {

        @Override
        public @Nullable Object capture() {
            return TENANT.get();
        }

        @Override
        public <T extends @Nullable Object> T around(List<@Nullable Object> contexts, Callable<T> execution)
                throws Exception {
            String before = TENANT.get();
            TENANT.set((String) contexts.get(0));
            try {
                return execution.call();
            } finally {
                TENANT.set(before);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Carrying {

        @Bean
        @Primary
        CollapsingSettings carryingSettings() {
            return new CollapsingSettings(
                    CollapseOptions.builder()
                            .maxConcurrentBatches(1)
                            .collectingWaitTime(Duration.ofNanos(-1))
                            .contextCarrier(new TenantCarrier())
                            .build(),
                    CallInTransaction.PASS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void callersGetTheAnswerOfTheirTenantWhereACarrierTakesItAlong(Way way) throws Exception {
        try (Application application = Application.start(Accounts.class, Identities.class, Carrying.class)) {
            List<String> answers = twenty(way, application);
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i)).isEqualTo("money of " + tenant(i));
            }
            assertThat(application.get(Gate.class).executions()).hasSizeLessThanOrEqualTo(4);
        }
    }
}

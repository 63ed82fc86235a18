package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.core.context.SecurityContextImpl;
import reactor.core.publisher.Mono;

/** Users whom the application keeps in a strategy that is a bean, and of whom the static holder knows nothing. */
class HolderStrategyTests {

    /** Keeps users where nothing else looks. */
    static final class OwnStorage implements SecurityContextHolderStrategy {

        private static final ThreadLocal<@Nullable SecurityContext> CONTEXTS = new ThreadLocal<>();

        @Override
        public void clearContext() {
            CONTEXTS.remove();
        }

        @Override
        public SecurityContext getContext() {
            SecurityContext present = CONTEXTS.get();
            if (present == null) {
                present = createEmptyContext();
                CONTEXTS.set(present);
            }
            return present;
        }

        @Override
        public void setContext(SecurityContext context) {
            CONTEXTS.set(context);
        }

        @Override
        public SecurityContext createEmptyContext() {
            return new SecurityContextImpl();
        }

        String user() {
            Authentication user = getContext().getAuthentication();
            return user == null ? "nobody" : user.getName();
        }

        String as(String name, Asked call) throws Exception {
            setContext(new SecurityContextImpl(new TestingAuthenticationToken(name, null)));
            try {
                return call.answer();
            } finally {
                assertThat(user()).isEqualTo(name);
                clearContext();
            }
        }
    }

    interface Asked {
        String answer() throws Exception;
    }

    static class Accounts {

        // immutable
        private final Gate gate;
        private final OwnStorage users;

        Accounts(Gate gate, OwnStorage users) {
            this.gate = gate;
            this.users = users;
        }

        private <T> CompletableFuture<T> later(String user, T answer) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        gate.pass(user);
                        return answer;
                    },
                    task -> new Thread(task).start());
        }

        private static Map<String, String> answers(Collection<String> accounts, String user) {
            Map<String, String> answers = new HashMap<>();
            accounts.forEach(account -> answers.put(account, account + " of " + user));
            return answers;
        }

        @Collapsible(name = "plain")
        public String plain(String account) {
            String user = users.user();
            gate.pass(user);
            return account + " of " + user;
        }

        @Collapsible(name = "future")
        public CompletableFuture<String> future(String account) {
            String user = users.user();
            return later(user, account + " of " + user);
        }

        @Collapsible(name = "mono")
        public Mono<String> mono(String account) {
            return Mono.defer(() -> Mono.fromFuture(future(account)));
        }

        @CollapseBatch(method = "many", name = "batch")
        public String one(String account) {
            throw new AssertionError("only the batch method is called");
        }

        public Map<String, String> many(Collection<String> accounts) {
            String user = users.user();
            gate.pass(user);
            return answers(accounts, user);
        }

        @CollapseBatch(method = "laterMany", name = "futures")
        public CompletableFuture<String> laterOne(String account) {
            throw new AssertionError("only the batch method is called");
        }

        public CompletableFuture<Map<String, String>> laterMany(Collection<String> accounts) {
            String user = users.user();
            return later(user, answers(accounts, user));
        }
    }

    enum Way {
        PLAIN,
        FUTURE,
        MONO,
        BATCH,
        FUTURES;

        String executor() {
            return name().toLowerCase(Locale.ROOT);
        }

        String ask(Accounts accounts) throws Exception {
            return switch (this) {
                case PLAIN -> accounts.plain("money");
                case FUTURE -> accounts.future("money").get(60, TimeUnit.SECONDS);
                case MONO -> accounts.mono("money").block();
                case BATCH -> accounts.one("money");
                case FUTURES -> accounts.laterOne("money").get(60, TimeUnit.SECONDS);
            };
        }
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(OwnStorage.class, Accounts.class);
    private final Accounts accounts = application.get(Accounts.class);
    private final OwnStorage users = application.get(OwnStorage.class);
    private final Gate gate = application.get(Gate.class);

    @AfterEach
    void close() {
        gate.open();
        application.close();
    }

    @ParameterizedTest
    @EnumSource
    void usersGetTheirOwnAnswers(Way way) throws Exception {
        List<String> answers = Burst.of(
                20,
                gate,
                application.executor(way.executor()),
                index -> () -> users.as(index % 2 == 0 ? "ann" : "bob", () -> way.ask(accounts)));
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i)).isEqualTo("money of " + (i % 2 == 0 ? "ann" : "bob"));
        }
        assertThat(gate.executions()).hasSizeLessThanOrEqualTo(4);
    }

    /** No code of Spring Security would look at the user of the static holder. */
    @Test
    void userOfTheStaticHolderDoesNotCount() throws Exception {
        Burst.of(20, gate, application.executor("plain"), index -> () -> {
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("user " + index, null));
            try {
                return users.as("ann", () -> accounts.plain("money"));
            } finally {
                SecurityContextHolder.clearContext();
            }
        });
        assertThat(gate.executions()).hasSizeLessThanOrEqualTo(2);
    }
}

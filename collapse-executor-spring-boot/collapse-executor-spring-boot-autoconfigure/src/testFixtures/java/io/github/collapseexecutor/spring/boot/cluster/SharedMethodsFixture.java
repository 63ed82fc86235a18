package io.github.collapseexecutor.spring.boot.cluster;

import static io.github.collapseexecutor.spring.boot.cluster.ClusterConfigurationFixture.awaitOneWaiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ClusterRedis;
import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import reactor.core.publisher.Mono;

/** Annotated methods of two applications that share nothing but a Redis; a test holds their calls. */
abstract class SharedMethodsFixture {

    /** Patient, and who waits for whom is said by the test. */
    static final String YAML = """
            spring.data.redis.port: %d
            collapse.executor:
              join: in-flight
              cluster:
                secret: a secret of the tests
                prefix: shop
                max-delay: 10s
                lease: 20s
                max-wait: 20s
                join: in-flight
              executors:
                plain.cluster: true
                future.cluster: true
                mono.cluster: true
                optional.cluster: true
                nothing.cluster: true
                across.cluster: true
                order.cluster: true
                basket.cluster: true
                quote.cluster: true
                broken.cluster: true
                fresh.cluster: true
                alone.cluster: false
            """;

    static ClusterRedis redis;

    // mutable, confined to the test's thread
    final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    // immutable
    final ExecutorService threads = Executors.newCachedThreadPool();
    final Backend backend = new Backend();

    @BeforeAll
    static void startRedis() throws IOException {
        redis = new ClusterRedis();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.close();
    }

    @AfterEach
    void end() {
        backend.held.complete(null);
        threads.shutdownNow();
        contexts.forEach(ConfigurableApplicationContext::close);
        redis.commands().flushall();
    }

    /** What all methods ask; a test holds its calls. */
    static final class Backend {

        // mutable, thread-safe
        final AtomicInteger calls = new AtomicInteger();
        final CompletableFuture<@Nullable Void> held = new CompletableFuture<>();

        int call() {
            int call = calls.incrementAndGet();
            try {
                held.get(60, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return call;
        }
    }

    enum Kind {
        PRIVATE,
        BUSINESS
    }

    record Order(long number, Kind kind, List<String> lines) {}

    /** Known by a key or a form only. */
    static final class Basket {

        // immutable
        final String number;

        Basket(String number) {
            this.number = number;
        }

        public String number() {
            return number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Basket basket && basket.number.equals(number);
        }

        @Override
        public int hashCode() {
            return number.hashCode();
        }
    }

    record Quote(String text) {}

    /** The user of this thread. */
    static String userName() {
        return nameOf(SecurityContextHolder.getContext());
    }

    static String nameOf(SecurityContext context) {
        Authentication user = context.getAuthentication();
        return user == null ? "nobody" : user.getName() + user.getAuthorities();
    }

    static class Shop {

        // immutable
        private final Backend backend;

        Shop(Backend backend) {
            this.backend = backend;
        }

        private String answer(Object asked) {
            return asked + " of " + userName() + ", call " + backend.call();
        }

        @Collapsible(name = "plain")
        public String plain(String product) {
            return answer(product);
        }

        @Collapsible(name = "plain")
        public String other(String product) {
            return answer(product);
        }

        @Collapsible(name = "fresh", join = JoinMode.FRESH)
        public String fresh(String product) {
            return answer(product);
        }

        @Collapsible(name = "alone")
        public String alone(String product) {
            return answer(product);
        }

        @Collapsible(name = "future")
        public CompletableFuture<String> future(String product) {
            String user = userName();
            return CompletableFuture.supplyAsync(
                    () -> product + " of " + user + ", call " + backend.call(), task -> new Thread(task).start());
        }

        @Collapsible(name = "mono")
        public Mono<String> mono(String product) {
            return ReactiveSecurityContextHolder.getContext()
                    .map(SharedMethodsFixture::nameOf)
                    .defaultIfEmpty("nobody")
                    .flatMap(user -> Mono.fromFuture(() -> CompletableFuture.supplyAsync(
                            () -> product + " of " + user + ", call " + backend.call(),
                            task -> new Thread(task).start())));
        }

        @Collapsible(name = "optional")
        public Optional<String> optional(String product) {
            String answer = answer(product);
            return product.isEmpty() ? Optional.empty() : Optional.of(answer);
        }

        @Collapsible(name = "nothing")
        public @Nullable String nothing(String product) {
            backend.call();
            return null;
        }

        @Collapsible(name = "across", acrossUsers = true)
        public String across(String product) {
            return answer(product);
        }

        @Collapsible(name = "order")
        public String order(Order order) {
            return answer(order);
        }

        @Collapsible(name = "basket", key = "#basket.number()")
        public String basket(Basket basket) {
            return answer(basket.number);
        }

        @Collapsible(name = "quote")
        public Quote quote(String product) {
            return new Quote(answer(product));
        }

        @Collapsible(name = "broken")
        public String brokenOnce(List<String> lines) {
            if (backend.call() == 1) {
                throw new IllegalArgumentException("the first call");
            }
            return lines.toString();
        }

        @Collapsible(name = "broken")
        public String broken(String product) {
            throw new IllegalArgumentException("no " + product + ", call " + backend.call());
        }
    }

    /** Read by the type of the answer. */
    @Configuration(proxyBeanMethods = false)
    static class QuoteCodec {

        @Bean
        ResultCodec<Quote> quoteCodec() {
            return ResultCodec.of(
                    quote -> quote.text().getBytes(StandardCharsets.UTF_8),
                    bytes -> new Quote(new String(bytes, StandardCharsets.UTF_8)));
        }
    }

    ConfigurableApplicationContext start(Class<?>... configurations) {
        return start(YAML.formatted(redis.port()), configurations);
    }

    ConfigurableApplicationContext start(String yaml, Class<?>... configurations) {
        ConfigurableApplicationContext context = application(configurations).start(yaml);
        contexts.add(context);
        return context;
    }

    TestApplication application(Class<?>... configurations) {
        return new TestApplication()
                .aloneWithRedis()
                .with(QuoteCodec.class)
                .with(configurations)
                .with((GenericApplicationContext context) -> {
                    context.registerBean("backend", Backend.class, () -> backend);
                    context.registerBean("shop", Shop.class);
                });
    }

    /** Asks a shop. */
    interface Asking {
        Object of(Shop shop) throws Exception;
    }

    Future<Object> ask(ConfigurableApplicationContext context, @Nullable Authentication user, Asking asking) {
        Shop shop = context.getBean(Shop.class);
        return asUser(user, () -> asking.of(shop));
    }

    /** Makes a call on a thread of its own that has this user. */
    Future<Object> asUser(@Nullable Authentication user, Callable<Object> call) {
        return threads.submit(() -> {
            SecurityContextHolder.getContext().setAuthentication(user);
            try {
                return call.call();
            } finally {
                SecurityContextHolder.clearContext();
            }
        });
    }

    /** Awaits an answer for the user of this thread. */
    static Object awaited(Mono<String> answer) {
        Authentication user = SecurityContextHolder.getContext().getAuthentication();
        return user == null
                ? answer.block()
                : answer.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user))
                        .block();
    }

    static Object got(Future<Object> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }

    /** What both get while the call of the first is under way, for which the second waits. */
    List<Object> shared(
            @Nullable Authentication firstUser,
            Asking firstAsks,
            @Nullable Authentication secondUser,
            Asking secondAsks,
            Class<?>... configurations)
            throws Exception {
        ConfigurableApplicationContext first = start(configurations);
        ConfigurableApplicationContext second = start(configurations);
        Future<Object> led = ask(first, firstUser, firstAsks);
        await().until(() -> backend.calls.get() == 1);
        Future<Object> taken = ask(second, secondUser, secondAsks);
        awaitOneWaiter(second);
        backend.held.complete(null);
        List<Object> answers = new ArrayList<>();
        answers.add(got(led));
        answers.add(got(taken));
        assertThat(backend.calls).hasValue(1);
        assertThat(second.getBean(ClusterCalls.class).counts().taken()).isEqualTo(1);
        return answers;
    }

    /** Each makes its call, while that of the other is under way. */
    List<Object> apart(
            @Nullable Authentication firstUser,
            Asking firstAsks,
            @Nullable Authentication secondUser,
            Asking secondAsks,
            Class<?>... configurations)
            throws Exception {
        ConfigurableApplicationContext first = start(configurations);
        ConfigurableApplicationContext second = start(configurations);
        Future<Object> one = ask(first, firstUser, firstAsks);
        await().until(() -> backend.calls.get() == 1);
        Future<Object> two = ask(second, secondUser, secondAsks);
        await().until(() -> backend.calls.get() == 2);
        backend.held.complete(null);
        return List.of(got(one), got(two));
    }

    static UsernamePasswordAuthenticationToken ann(String... authorities) {
        return UsernamePasswordAuthenticationToken.authenticated(
                new User("ann", "hash", AuthorityUtils.createAuthorityList(authorities)),
                null,
                AuthorityUtils.createAuthorityList(authorities));
    }

    /** The ways to answer. */
    enum Way implements Asking {
        PLAIN {
            @Override
            public Object of(Shop shop) {
                return shop.plain("tea");
            }
        },
        FUTURE {
            @Override
            public Object of(Shop shop) throws Exception {
                return shop.future("tea").get();
            }
        },
        MONO {
            @Override
            public Object of(Shop shop) {
                return awaited(shop.mono("tea"));
            }
        }
    }
}

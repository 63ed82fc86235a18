package io.github.collapseexecutor.spring.annotation.method;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.collapseexecutor.LoggedEvents;
import io.github.collapseexecutor.spring.annotation.Application;
import io.github.collapseexecutor.spring.annotation.Burst;
import io.github.collapseexecutor.spring.annotation.CallerIdentity;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.Gate;
import io.github.collapseexecutor.spring.annotation.key.SecurityUser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedGrantedAuthoritiesWebAuthenticationDetails;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** No user gets the answer to another, on real contexts of Spring Security. */
class UsersTests {

    static class Accounts {

        // immutable
        private final Gate gate;

        Accounts(Gate gate) {
            this.gate = gate;
        }

        private static String user() {
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            return user == null ? "nobody" : user.getName();
        }

        private String answer(Object item) {
            String user = user();
            gate.pass(user);
            return item + " of " + user;
        }

        @Collapsible(name = "plain")
        public String plain(String account) {
            return answer(account);
        }

        @Collapsible(name = "future")
        public CompletableFuture<String> future(String account) {
            String user = user();
            return CompletableFuture.supplyAsync(
                    () -> {
                        gate.pass(user);
                        return account + " of " + user;
                    },
                    task -> new Thread(task).start());
        }

        @Collapsible(name = "mono")
        public Mono<String> mono(String account) {
            return ReactiveSecurityContextHolder.getContext()
                    .map(context -> context.getAuthentication().getName())
                    .defaultIfEmpty("nobody")
                    .flatMap(user -> Mono.fromFuture(CompletableFuture.supplyAsync(
                            () -> {
                                gate.pass(user);
                                return account + " of " + user;
                            },
                            task -> new Thread(task).start())));
        }

        /** As a function that suspends, or a call of a blocking method, looks at its user: when it is subscribed to. */
        @Collapsible(name = "subscribed")
        public Mono<String> subscribed(String account) {
            return Mono.defer(() -> Mono.fromFuture(future(account)));
        }

        @CollapseBatch(method = "many", name = "batch")
        public String one(String account) {
            throw new AssertionError("only the batch method is called");
        }

        public Map<String, String> many(Collection<String> accounts) {
            String user = user();
            gate.pass(user);
            Map<String, String> answers = new HashMap<>();
            accounts.forEach(account -> answers.put(account, account + " of " + user));
            return answers;
        }

        @CollapseBatch(method = "laterMany", name = "futures")
        public CompletableFuture<String> later(String account) {
            throw new AssertionError("only the batch method is called");
        }

        public CompletableFuture<Map<String, String>> laterMany(Collection<String> accounts) {
            String user = user();
            return CompletableFuture.supplyAsync(
                    () -> {
                        gate.pass(user);
                        Map<String, String> answers = new HashMap<>();
                        accounts.forEach(account -> answers.put(account, account + " of " + user));
                        return answers;
                    },
                    task -> new Thread(task).start());
        }

        @Collapsible(name = "across", acrossUsers = true)
        public String across(String account) {
            return answer(account);
        }

        @Collapsible(name = "monoAcross", acrossUsers = true)
        public Mono<String> monoAcross(String account) {
            return mono(account);
        }

        @CollapseBatch(method = "many", name = "batchAcross", acrossUsers = true)
        public String oneAcross(String account) {
            throw new AssertionError("only the batch method is called");
        }
    }

    /** The ways to ask, each for the user of the caller. */
    enum Way {
        PLAIN,
        FUTURE,
        MONO,
        SUBSCRIBED,
        BATCH,
        FUTURES;

        String executor() {
            return name().toLowerCase(Locale.ROOT);
        }

        String ask(Accounts accounts, Authentication user) throws Exception {
            return switch (this) {
                case PLAIN -> as(user, () -> accounts.plain("money"));
                case FUTURE -> as(user, () -> accounts.future("money").get());
                case MONO ->
                    accounts.mono("money")
                            .contextWrite(ReactiveSecurityContextHolder.withAuthentication(user))
                            .block();
                case SUBSCRIBED -> as(user, () -> accounts.subscribed("money").block());
                case BATCH -> as(user, () -> accounts.one("money"));
                case FUTURES -> as(user, () -> accounts.later("money").get());
            };
        }
    }

    private interface Asked {
        String answer() throws Exception;
    }

    private static String as(Authentication user, Asked call) throws Exception {
        SecurityContextHolder.getContext().setAuthentication(user);
        try {
            return call.answer();
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    private static Authentication user(String name, String... authorities) {
        return UsernamePasswordAuthenticationToken.authenticated(
                new User(name, "", AuthorityUtils.createAuthorityList(authorities)),
                null,
                AuthorityUtils.createAuthorityList(authorities));
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(Accounts.class, Identities.class);
    private final Accounts accounts = application.get(Accounts.class);
    private final Gate gate = application.get(Gate.class);

    /** The tenant of a thread. */
    @Configuration(proxyBeanMethods = false)
    static class Identities {

        static final ThreadLocal<String> TENANT = new ThreadLocal<>();

        @Bean
        CallerIdentity tenant() {
            return TENANT::get;
        }
    }

    @AfterEach
    void close() {
        gate.open();
        application.close();
    }

    @ParameterizedTest
    @EnumSource
    void thousandCallersOfTwoUsersGetNoWrongAnswer(Way way) throws Exception {
        List<String> answers = Burst.of(
                1_000,
                gate,
                application.executor(way.executor()),
                index -> () -> way.ask(accounts, user(index % 2 == 0 ? "ann" : "bob")));
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i)).isEqualTo("money of " + (i % 2 == 0 ? "ann" : "bob"));
        }
        assertThat(gate.executions()).hasSizeLessThanOrEqualTo(4).contains("ann", "bob");
    }

    private List<String> twenty(String executor, Asked even, Asked odd) throws Exception {
        return Burst.of(
                20, gate, application.executor(executor), index -> () -> index % 2 == 0 ? even.answer() : odd.answer());
    }

    @Test
    void usersShareIfTheAnnotationSaysSo() throws Exception {
        twenty(
                "across",
                () -> as(user("ann"), () -> accounts.across("news")),
                () -> as(user("bob"), () -> accounts.across("news")));
        assertThat(gate.executions()).hasSize(2);
        twenty(
                "batchAcross",
                () -> as(user("ann"), () -> accounts.oneAcross("news")),
                () -> as(user("bob"), () -> accounts.oneAcross("news")));
        assertThat(gate.executions()).hasSize(4);
    }

    @Test
    void rightsOfAUserTellCallersApart() throws Exception {
        twenty(
                "plain",
                () -> as(user("ann", "READ"), () -> accounts.plain("money")),
                () -> as(user("ann", "READ", "WRITE"), () -> accounts.plain("money")));
        assertThat(gate.executions()).hasSize(4);
    }

    /** How a user has logged in, as a right; Spring Security 7 has one that says when. */
    static List<Function<Instant, GrantedAuthority>> logins() {
        List<Function<Instant, GrantedAuthority>> logins = new ArrayList<>(
                List.of(moment -> new SimpleGrantedAuthority("LOGGED_IN_" + moment.getEpochSecond() / 10)));
        String type = "org.springframework.security.core.authority.FactorGrantedAuthority";
        if (ClassUtils.isPresent(type, null)) {
            logins.add(moment -> {
                try {
                    Object builder = Class.forName(type)
                            .getMethod("withFactor", String.class)
                            .invoke(null, "PASSWORD");
                    Class<?> builderType = Class.forName(type + "$Builder");
                    builderType.getMethod("issuedAt", Instant.class).invoke(builder, moment);
                    return (GrantedAuthority) builderType.getMethod("build").invoke(builder);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        return logins;
    }

    /** As where each request logs in by its token. */
    @ParameterizedTest
    @MethodSource("logins")
    void loginsOfTheSameTimeAreOfOneUserAndOneOfLongAgoIsNot(Function<Instant, GrantedAuthority> login)
            throws Exception {
        Instant now = Instant.parse("2026-11-25T12:00:01Z");
        twenty(
                "plain",
                () -> as(loggedIn(login.apply(now)), () -> accounts.plain("money")),
                () -> as(loggedIn(login.apply(now.plusMillis(100))), () -> accounts.plain("money")));
        assertThat(gate.executions()).hasSize(2);
        twenty(
                "plain",
                () -> as(loggedIn(login.apply(now)), () -> accounts.plain("money")),
                () -> as(loggedIn(login.apply(now.minusSeconds(60))), () -> accounts.plain("money")));
        assertThat(gate.executions()).hasSize(6);
    }

    private static Authentication loggedIn(GrantedAuthority login) {
        return UsernamePasswordAuthenticationToken.authenticated("ann", null, List.of(login));
    }

    /** Spring Security puts it into the context of every request. */
    @Test
    void exchangeInTheContextKeepsCallersApartUntilTheyTakeItOut() throws Exception {
        ServerWebExchange one = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
        ServerWebExchange other = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
        Function<ServerWebExchange, Mono<String>> call = exchange ->
                accounts.mono("money").contextWrite(context -> context.put(ServerWebExchange.class, exchange));
        try (LoggedEvents warnings = new LoggedEvents(CallRules.class, Level.WARN)) {
            twenty(
                    "mono",
                    () -> call.apply(one).block(),
                    () -> call.apply(other).block());
            assertThat(gate.executions()).hasSize(4);
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains("Accounts.mono", ".contextWrite(context -> context.delete(ServerWebExchange.class))")
                    .contains("that suspends, set acrossUsers = true");
        }
        Function<ServerWebExchange, Mono<String>> without = exchange -> accounts.mono("money")
                .contextWrite(context -> context.delete(ServerWebExchange.class))
                .contextWrite(context -> context.put(ServerWebExchange.class, exchange));
        twenty(
                "mono",
                () -> without.apply(one).block(),
                () -> without.apply(other).block());
        assertThat(gate.executions()).hasSize(6);
    }

    /** WebFlux releases buffers so, and writes that into the context of each Mono that a handler returns. */
    @Test
    void aDiscardHookKeepsNoCallersApart() throws Exception {
        Asked call = () ->
                accounts.mono("money").doOnDiscard(Object.class, unused -> {}).block();
        twenty("mono", call, call);
        assertThat(gate.executions()).hasSize(2);
    }

    @Test
    void objectThatNothingComparesKeepsCallersApartAndThatIsSaid() throws Exception {
        Asked call = () -> accounts.mono("money")
                .contextWrite(context -> context.put("mark", new AtomicInteger()))
                .block();
        try (LoggedEvents warnings = new LoggedEvents(CallRules.class, Level.WARN)) {
            assertThat(call.answer()).isEqualTo("money of nobody");
            assertThat(warnings.messages()).isEmpty();
            assertThat(call.answer()).isEqualTo("money of nobody");
            assertThat(call.answer()).isEqualTo("money of nobody");
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains("Accounts.mono", AtomicInteger.class.getName(), "has no equals");
        }
    }

    @Test
    void objectThatAllCallersHaveIsNotWarnedOf() throws Exception {
        AtomicInteger shared = new AtomicInteger();
        Asked call = () -> accounts.mono("money")
                .contextWrite(context -> context.put("mark", shared))
                .block();
        try (LoggedEvents warnings = new LoggedEvents(CallRules.class, Level.WARN)) {
            twenty("mono", call, call);
            assertThat(warnings.messages()).isEmpty();
        }
        assertThat(gate.executions()).hasSize(2);
    }

    /** A principal whose inherited equals does not see the tenant. */
    static final class TenantUser extends User {
        private static final long serialVersionUID = 1L;

        // immutable
        private final String tenant;

        TenantUser(String name, String tenant) {
            super(name, "", AuthorityUtils.NO_AUTHORITIES);
            this.tenant = tenant;
        }

        @Override
        public String toString() {
            return getUsername() + " of " + tenant;
        }
    }

    private static Authentication tenantUser(String tenant) {
        return UsernamePasswordAuthenticationToken.authenticated(
                new TenantUser("ann", tenant), null, AuthorityUtils.NO_AUTHORITIES);
    }

    @Test
    void principalWhoseEqualsDoesNotSeeAllIsNotSharedWithAnEqualOne() throws Exception {
        assertThat(tenantUser("one")).isEqualTo(tenantUser("two"));
        Authentication one = tenantUser("one");
        Authentication two = tenantUser("two");
        try (LoggedEvents warnings = new LoggedEvents(SecurityUser.class, Level.WARN)) {
            twenty("plain", () -> as(one, () -> accounts.plain("money")), () -> as(two, () -> accounts.plain("money")));
            assertThat(gate.executions()).hasSize(4);
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains("UsersTests$TenantUser share with no others", "Give it one", "acrossUsers = true");
        }
    }

    /** As with the registration of a user of OAuth 2, the field is below the class whose equals is inherited. */
    private static Authentication withDetails(String right) {
        UsernamePasswordAuthenticationToken token =
                UsernamePasswordAuthenticationToken.authenticated("ann", null, AuthorityUtils.NO_AUTHORITIES);
        token.setDetails(new PreAuthenticatedGrantedAuthoritiesWebAuthenticationDetails(
                new MockHttpServletRequest(), AuthorityUtils.createAuthorityList(right)));
        return token;
    }

    @Test
    void partsThatEqualsOfSpringSecurityDoesNotSeeTellCallersApart() throws Exception {
        Authentication read = withDetails("READ");
        Authentication write = withDetails("WRITE");
        assertThat(read).isEqualTo(write);
        twenty("plain", () -> as(read, () -> accounts.plain("money")), () -> as(write, () -> accounts.plain("money")));
        assertThat(gate.executions()).hasSize(4);
        twenty(
                "plain",
                () -> as(withDetails("READ"), () -> accounts.plain("money")),
                () -> as(withDetails("READ"), () -> accounts.plain("money")));
        assertThat(gate.executions())
                .as("nobody knows whether these are one user")
                .hasSize(24);
    }

    private static Authentication fromAddress(String address) {
        UsernamePasswordAuthenticationToken token =
                UsernamePasswordAuthenticationToken.authenticated("ann", null, AuthorityUtils.NO_AUTHORITIES);
        token.setDetails(new WebAuthenticationDetails(address, "session"));
        return token;
    }

    @Test
    void addressesTellCallersOfOneUserApart() throws Exception {
        twenty(
                "plain",
                () -> as(fromAddress("10.0.0.1"), () -> accounts.plain("money")),
                () -> as(fromAddress("10.0.0.1"), () -> accounts.plain("money")));
        assertThat(gate.executions()).hasSize(2);
        twenty(
                "plain",
                () -> as(fromAddress("10.0.0.1"), () -> accounts.plain("money")),
                () -> as(fromAddress("10.0.0.2"), () -> accounts.plain("money")));
        assertThat(gate.executions()).hasSize(6);
    }

    @Test
    void anonymousCallersAreOneUser() throws Exception {
        twenty(
                "plain",
                () -> as(anonymous("10.0.0.1"), () -> accounts.plain("news")),
                () -> as(anonymous("10.0.0.2"), () -> accounts.plain("news")));
        assertThat(gate.executions()).containsOnly("anonymous").hasSize(2);
    }

    private static Authentication anonymous(String address) {
        AnonymousAuthenticationToken token = new AnonymousAuthenticationToken(
                "key", "anonymous", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));
        token.setDetails(address);
        return token;
    }

    @Test
    void identityBeanTellsCallersApart() throws Exception {
        twenty("plain", () -> of("one", () -> accounts.plain("money")), () -> of("two", () -> accounts.plain("money")));
        assertThat(gate.executions()).hasSize(4);
    }

    /** The answers of one tenant are wrong for another, also where users share. */
    @Test
    void identityBeanTellsCallersApartWhereUsersShare() throws Exception {
        twenty(
                "across",
                () -> of("one", () -> as(user("ann"), () -> accounts.across("news"))),
                () -> of("two", () -> as(user("bob"), () -> accounts.across("news"))));
        assertThat(gate.executions()).hasSize(4);
        twenty(
                "batchAcross",
                () -> of("one", () -> as(user("ann"), () -> accounts.oneAcross("news"))),
                () -> of("two", () -> as(user("bob"), () -> accounts.oneAcross("news"))));
        assertThat(gate.executions()).hasSize(8);
        List<String> answers =
                Burst.of( // one for each tenant: a call that waits for another may run on a thread without a tenant
                        2,
                        gate,
                        application.executor("monoAcross"),
                        index -> () -> of(
                                index == 0 ? "one" : "two",
                                () -> accounts.monoAcross("news").block()));
        assertThat(answers).containsOnly("news of nobody");
        assertThat(gate.executions()).hasSize(10);
    }

    @Test
    void contextsOfReactorDoNotTellCallersApartWhereUsersShare() throws Exception {
        twenty(
                "monoAcross",
                () -> accounts.monoAcross("news")
                        .contextWrite(context -> context.put("entry", "one"))
                        .block(),
                () -> accounts.monoAcross("news")
                        .contextWrite(ReactiveSecurityContextHolder.withAuthentication(user("bob")))
                        .block());
        assertThat(gate.executions()).hasSize(2);
    }

    private static String of(String tenant, Asked call) throws Exception {
        Identities.TENANT.set(tenant);
        return call.answer();
    }

    @Test
    void unknownEntryOfTheReactorContextTellsCallersApart() throws Exception {
        twenty(
                "mono",
                () -> accounts.mono("money")
                        .contextWrite(context -> context.put("tenant", "one"))
                        .block(),
                () -> accounts.mono("money")
                        .contextWrite(context -> context.put("tenant", "two"))
                        .block());
        assertThat(gate.executions()).hasSize(4);
    }

    @Test
    void observationInTheReactorContextDoesNot() throws Exception {
        twenty(
                "mono",
                () -> accounts.mono("money")
                        .contextWrite(context -> context.put("micrometer.observation", new Object()))
                        .block(),
                () -> accounts.mono("money").block());
        assertThat(gate.executions()).hasSize(2);
    }
}

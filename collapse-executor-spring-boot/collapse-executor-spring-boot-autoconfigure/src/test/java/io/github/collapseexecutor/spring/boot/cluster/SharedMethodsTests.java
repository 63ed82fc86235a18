package io.github.collapseexecutor.spring.boot.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.RedisMonitor;
import io.github.collapseexecutor.spring.annotation.CallerIdentity;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.KeyForm;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/** Annotated methods of two applications that share nothing but a Redis. */
class SharedMethodsTests extends SharedMethodsFixture {

    @Nested
    class Sharing {

        @ParameterizedTest
        @EnumSource(Way.class)
        void aCallOfOneUserOnTwoInstances(Way way) throws Exception {
            assertThat(shared(ann("READ"), way, ann("READ"), way)).containsOnly("tea of ann[READ], call 1");
        }

        @ParameterizedTest
        @EnumSource(Way.class)
        void aCallOfNobody(Way way) throws Exception {
            assertThat(shared(null, way, null, way)).containsOnly("tea of nobody, call 1");
        }

        @Test
        void ofOneUserFromTwoAddresses() throws Exception {
            UsernamePasswordAuthenticationToken here = ann("READ");
            here.setDetails(new WebAuthenticationDetails("10.0.0.1", "one session"));
            UsernamePasswordAuthenticationToken there = ann("READ");
            there.setDetails(new WebAuthenticationDetails("10.0.0.2", "another"));
            assertThat(shared(here, Way.PLAIN, there, Way.PLAIN)).containsOnly("tea of ann[READ], call 1");
        }

        @Test
        void ofTwoUsersIfTheAnnotationSaysSo() throws Exception {
            assertThat(shared(ann("READ"), shop -> shop.across("tea"), null, shop -> shop.across("tea")))
                    .containsOnly("tea of ann[READ], call 1");
        }

        @Test
        void ofARecord() throws Exception {
            Asking asking = shop -> shop.order(new Order(7, Kind.PRIVATE, List.of("tea")));
            assertThat(shared(null, asking, null, asking)).hasSize(2);
        }

        @Test
        void byTheValueOfAKey() throws Exception {
            Asking asking = shop -> shop.basket(new Basket("7"));
            assertThat(shared(null, asking, null, asking)).containsOnly("7 of nobody, call 1");
        }

        @Test
        void ofAnOptional() throws Exception {
            Asking asking = shop -> shop.optional("tea");
            assertThat(shared(null, asking, null, asking)).containsOnly(Optional.of("tea of nobody, call 1"));
        }

        @Test
        void ofAnOptionalThatIsEmpty() throws Exception {
            Asking asking = shop -> shop.optional("");
            assertThat(shared(null, asking, null, asking)).containsOnly(Optional.empty());
        }

        @Test
        void ofNull() throws Exception {
            Asking asking = shop -> shop.nothing("tea");
            assertThat(shared(null, asking, null, asking)).containsExactly(null, null);
        }

        @Test
        void byACodecOfTheTypeOfTheAnswer() throws Exception {
            Asking asking = shop -> shop.quote("tea");
            assertThat(shared(null, asking, null, asking)).containsOnly(new Quote("tea of nobody, call 1"));
        }

        @Test
        void ofAUserWhoseFormTheApplicationSays() throws Exception {
            assertThat(shared(tenantUser("one"), Way.PLAIN, tenantUser("one"), Way.PLAIN, TenantForm.class))
                    .containsOnly("tea of ann[], call 1");
        }
    }

    @Nested
    class KeptApart {

        @ParameterizedTest
        @EnumSource(Way.class)
        void usersOfOneNameWithOtherRights(Way way) throws Exception {
            assertThat(apart(ann("READ"), way, ann("READ", "WRITE"), way))
                    .containsExactly("tea of ann[READ], call 1", "tea of ann[READ, WRITE], call 2");
        }

        @Test
        void usersOfOneNameWithOtherDetails() throws Exception {
            UsernamePasswordAuthenticationToken here = ann("READ");
            here.setDetails("tenant 1");
            UsernamePasswordAuthenticationToken there = ann("READ");
            there.setDetails("tenant 2");
            assertThat(apart(here, Way.PLAIN, there, Way.PLAIN)).doesNotHaveDuplicates();
        }

        @Test
        void usersOfTwoTenantsWhoseFormTheApplicationSays() throws Exception {
            assertThat(apart(tenantUser("one"), Way.PLAIN, tenantUser("two"), Way.PLAIN, TenantForm.class))
                    .doesNotHaveDuplicates();
        }

        @Test
        void callersOfTwoTenants() throws Exception {
            assertThat(apart(
                            null,
                            shop -> ofTenant("one", shop),
                            null,
                            shop -> ofTenant("two", shop),
                            TenantIdentity.class))
                    .doesNotHaveDuplicates();
        }

        private Object ofTenant(String tenant, Shop shop) {
            TenantIdentity.TENANT.set(tenant);
            try {
                return shop.plain("tea");
            } finally {
                TenantIdentity.TENANT.remove();
            }
        }

        @Test
        void otherArguments() throws Exception {
            assertThat(apart(null, shop -> shop.plain("tea"), null, shop -> shop.plain("coffee")))
                    .containsExactly("tea of nobody, call 1", "coffee of nobody, call 2");
        }

        @Test
        void otherMethodsOfOneExecutor() throws Exception {
            assertThat(apart(null, shop -> shop.plain("tea"), null, shop -> shop.other("tea")))
                    .doesNotHaveDuplicates();
        }

        @Test
        void callsOfAMethodThatDoesNotSayIt() throws Exception {
            assertThat(apart(null, shop -> shop.alone("tea"), null, shop -> shop.alone("tea")))
                    .doesNotHaveDuplicates();
        }

        /** The second asks after the call of the first has begun. Each may join that call only if its annotation says so. */
        @Test
        void callsOfAMethodThatJoinsNoneInFlight() throws Exception {
            assertThat(apart(null, shop -> shop.fresh("tea"), null, shop -> shop.fresh("tea")))
                    .containsExactly("tea of nobody, call 1", "tea of nobody, call 2");
        }

        @Test
        void subscribersWithOtherContexts() throws Exception {
            Asking asking = shop -> shop.mono("tea")
                    .contextWrite(context -> context.put("tenant", new Object()))
                    .block();
            assertThat(apart(null, asking, null, asking)).doesNotHaveDuplicates();
        }
    }

    /** A user of whom it is not known what there is of it. */
    static final class TenantUser extends User {

        private static final long serialVersionUID = 1L;

        // immutable
        final String tenant;

        TenantUser(String tenant) {
            super("ann", "", AuthorityUtils.NO_AUTHORITIES);
            this.tenant = tenant;
        }
    }

    private static Authentication tenantUser(String tenant) {
        return UsernamePasswordAuthenticationToken.authenticated(
                new TenantUser(tenant), null, AuthorityUtils.NO_AUTHORITIES);
    }

    @Configuration(proxyBeanMethods = false)
    static class TenantForm {

        @Bean
        KeyForm<TenantUser> tenantForm() {
            return KeyForm.of(TenantUser.class, user -> user.tenant + "/" + user.getUsername());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TenantIdentity {

        static final ThreadLocal<String> TENANT = new ThreadLocal<>();

        @Bean
        CallerIdentity tenant() {
            return TENANT::get;
        }
    }

    @Nested
    @ExtendWith(OutputCaptureExtension.class)
    class WithoutAForm {

        @Test
        void aUserThatMayHoldMoreIsKeptApartAndOneWarningSaysSo(CapturedOutput output) throws Exception {
            assertThat(apart(tenantUser("one"), Way.PLAIN, tenantUser("two"), Way.PLAIN))
                    .doesNotHaveDuplicates();
            got(ask(contexts.get(0), tenantUser("one"), Way.PLAIN));
            assertThat(output.getAll())
                    .contains(
                            "SharedMethodsFixture$Shop.plain(String) of bean \"shop\" does not share a call with other"
                                    + " instances")
                    .contains("SharedMethodsTests$TenantUser", "Define a KeyForm bean");
            assertThat(output.getAll().split("does not share a call", -1)).hasSize(3); // one of each context
        }
    }

    /** Answers with a number, so that what stands in Redis of a question is its key only. */
    static class Numbers {

        static final List<String> USERS = List.of("READ", "READ_secret", "WRITE_secret", "READ_secret,WRITE_secret");

        @Collapsible(name = "plain")
        public int number(String product) {
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            String rights = String.join(
                    ",",
                    user.getAuthorities().stream()
                            .map(Object::toString)
                            .sorted()
                            .toList());
            if (!user.getName().equals("ann_secret")) {
                throw new IllegalStateException("another user");
            }
            return 10 * USERS.indexOf(rights) + Integer.parseInt(product.substring("product_secret".length()));
        }
    }

    /** {@code -Dcluster.rounds=100000} is the long form. */
    @Test
    void everyAnswerIsForTheUserThatAskedAndRedisSeesNone() throws Exception {
        int rounds = Math.max(2_000, Integer.getInteger("cluster.rounds", 0));
        String yaml = YAML.formatted(redis.port())
                .replace("max-wait: 20s", "max-wait: 20s\n    max-wait-ratio: 0.9")
                .replace("join: in-flight", "join: fresh");
        List<ConfigurableApplicationContext> two = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            two.add(new TestApplication()
                    .with((GenericApplicationContext context) -> context.registerBean("numbers", Numbers.class))
                    .start(yaml));
            contexts.add(two.get(i));
        }
        AtomicInteger answers = new AtomicInteger();
        List<String> wrong = new CopyOnWriteArrayList<>();
        try (RedisMonitor monitor = new RedisMonitor(redis.port(), List.of("_secret"))) {
            List<Future<Object>> callers = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                Numbers numbers = two.get(i % 2).getBean(Numbers.class);
                callers.add(threads.submit(caller(numbers, rounds, answers, wrong)));
            }
            for (Future<Object> caller : callers) {
                assertThat(caller.get(100, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(wrong).isEmpty();
            assertThat(answers.get()).isGreaterThanOrEqualTo(rounds);
            assertThat(monitor.commands()).isGreaterThan(100);
            assertThat(monitor.found()).isEmpty();
        }
        assertThat(two)
                .anyMatch(
                        context -> context.getBean(ClusterCalls.class).counts().taken() > 0);
    }

    private static Callable<Object> caller(Numbers numbers, int rounds, AtomicInteger answers, List<String> wrong) {
        return () -> {
            while (answers.getAndIncrement() < rounds && wrong.isEmpty()) {
                int user = ThreadLocalRandom.current().nextInt(Numbers.USERS.size());
                int product = ThreadLocalRandom.current().nextInt(3);
                UsernamePasswordAuthenticationToken token = UsernamePasswordAuthenticationToken.authenticated(
                        "ann_secret",
                        "password_secret",
                        AuthorityUtils.commaSeparatedStringToAuthorityList(Numbers.USERS.get(user)));
                SecurityContextHolder.getContext().setAuthentication(token);
                try {
                    int answer = numbers.number("product_secret" + product);
                    if (answer != 10 * user + product) {
                        wrong.add(answer + " for " + user + " and " + product);
                    }
                } finally {
                    SecurityContextHolder.clearContext();
                }
            }
            return answers;
        };
    }
}

package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.fixture.TestForm;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authorization.AuthorityAuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.access.intercept.RequestMatcherDelegatingAuthorizationManager;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.authentication.preauth.RequestHeaderAuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationEntryPoint;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestFilter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/** Behind the filters of Spring Security, every request is authenticated and authorised for itself. */
class SpringSecurityTests {

    /** Names the user to an application that trusts the gateway before it; no policy of these tests lists it. */
    private static final String GATEKEEPER = "X-Authenticated-User";

    private final WaitingRequests waiting = new WaitingRequests();
    private final Callers callers = new Callers();
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger authorizations = new AtomicInteger();
    private final Semaphore entered = new Semaphore(0);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean holding;
    private volatile @Nullable CyclicBarrier round;
    private ServletServer server;

    @AfterEach
    void stop() {
        released.countDown();
        callers.close();
        server.close();
    }

    private void start(ServletServer.Make make, CollapsePolicy policy) {
        start(make, policy, security(true));
    }

    private void start(ServletServer.Make make, CollapsePolicy policy, FilterChainProxy security) {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(policy, "/**")))
                .build();
        server =
                make.start(20, List.of(security, waiting, WaitingRequests.asynchronous(http, IN_FLIGHT)), new WhoAmI());
    }

    /**
     * The filters that HttpSecurity with HTTP Basic and stateless sessions would set up.
     *
     * @param shown whether the request shows its user, as it does without {@code servletApi().disable()}
     */
    private FilterChainProxy security(boolean shown) {
        RequestAttributeSecurityContextRepository contexts = new RequestAttributeSecurityContextRepository();
        BasicAuthenticationEntryPoint entryPoint = new BasicAuthenticationEntryPoint();
        entryPoint.setRealmName("test");
        AuthenticationManager manager = authentication -> {
            if (!authentication.getName().equals(authentication.getCredentials())) {
                throw new BadCredentialsException("wrong password");
            }
            return UsernamePasswordAuthenticationToken.authenticated(
                    authentication.getName(),
                    null,
                    AuthorityUtils.createAuthorityList("USER", authentication.getName()));
        };
        RequestHeaderAuthenticationFilter gatekeeper = new RequestHeaderAuthenticationFilter();
        gatekeeper.setPrincipalRequestHeader(GATEKEEPER);
        gatekeeper.setCredentialsRequestHeader(GATEKEEPER);
        gatekeeper.setExceptionIfHeaderMissing(false);
        gatekeeper.setAuthenticationManager(manager);
        gatekeeper.setSecurityContextRepository(contexts);
        BasicAuthenticationFilter basic = new BasicAuthenticationFilter(manager, entryPoint);
        basic.setSecurityContextRepository(contexts);
        SecurityContextHolderAwareRequestFilter aware = new SecurityContextHolderAwareRequestFilter();
        RequestMatcher isPrivate = request -> {
            authorizations.incrementAndGet();
            return request.getRequestURI().startsWith("/private");
        };
        AuthorizationFilter authorization =
                new AuthorizationFilter(RequestMatcherDelegatingAuthorizationManager.builder()
                        .add(isPrivate, AuthorityAuthorizationManager.hasAuthority("one"))
                        .add(
                                AnyRequestMatcher.INSTANCE,
                                AuthorityAuthorizationManager.hasAnyAuthority("USER", "ROLE_ANONYMOUS"))
                        .build());
        try {
            aware.afterPropertiesSet();
        } catch (jakarta.servlet.ServletException e) {
            throw new IllegalStateException(e);
        }
        List<Filter> filters = new ArrayList<>(List.of(
                new SecurityContextHolderFilter(contexts),
                new HeaderWriterFilter(List.of(new CacheControlHeadersWriter())),
                gatekeeper,
                basic,
                aware,
                new AnonymousAuthenticationFilter("key"),
                new ExceptionTranslationFilter(entryPoint),
                authorization));
        if (!shown) {
            filters.remove(aware);
        }
        return new FilterChainProxy(new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE, filters));
    }

    private final class WhoAmI extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/error")) {
                return;
            }
            runs.incrementAndGet();
            entered.release();
            if (holding) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            CyclicBarrier together = round;
            if (together != null) {
                try {
                    together.await(10, TimeUnit.SECONDS);
                } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                    throw new IllegalStateException("two requests were one", e);
                }
            }
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            boolean known = user != null && !(user instanceof AnonymousAuthenticationToken);
            response.getWriter().write(known ? user.getName() : "nobody");
        }
    }

    private static Request get(String path) {
        return Request.get(URI.create("http://localhost" + path));
    }

    private static Request as(String user, String path) {
        String credentials = Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8));
        return get(path).with("Authorization", "Basic " + credentials);
    }

    private Caller<Response> call(Request request) {
        return callers.start(() -> RawClient.call(server.port(), request));
    }

    @ParameterizedTest
    @EnumSource
    void H05_twoUsersThatSendTheirPasswordNeverGetOneBody(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.pathOnly());
        neverOneBodyForTwo(user -> as(user, "/me"));
    }

    @ParameterizedTest
    @EnumSource
    void H05_twoUsersWhomOnlySpringSecurityTellsApartNeverGetOneBody(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.pathOnly());
        neverOneBodyForTwo(user -> get("/me").with(GATEKEEPER, user));
    }

    @ParameterizedTest
    @EnumSource
    void H05_twoUsersWhomTheRequestDoesNotShowNeverGetOneBody(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.pathOnly(), security(false));
        neverOneBodyForTwo(user -> get("/me").with(GATEKEEPER, user));
    }

    @ParameterizedTest
    @EnumSource
    void requestsOfNobodyShareWhereTheRequestDoesNotShowAUser(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.strict(), security(false));
        oneRunForTwo(get("/public"));
    }

    /** The handler answers a round only when every request of it has arrived: were two of them one, it would not end. */
    private void neverOneBodyForTwo(Function<String, Request> requestOf) throws Exception {
        List<String> names = List.of("one", "two", "one", "two");
        round = new CyclicBarrier(names.size());
        List<Caller<Integer>> users = new ArrayList<>();
        for (String user : names) {
            users.add(callers.start(() -> {
                for (int i = 0; i < TestForm.ROUNDS; i++) {
                    Response response = RawClient.call(server.port(), requestOf.apply(user));
                    if (!response.body().equals(user)) {
                        throw new AssertionError(user + " got " + response);
                    }
                }
                return TestForm.ROUNDS;
            }));
        }
        for (Caller<Integer> user : users) {
            assertThat(user.result().get(30, TimeUnit.MINUTES)).isEqualTo(TestForm.ROUNDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void H31_everyRequestIsAuthorisedAndOnlyTheHandlerIsShared(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.named("all").shareAcrossUsers(true).build());
        holding = true;
        Caller<Response> leader = call(as("one", "/private"));
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        Caller<Response> follower = call(as("one", "/private"));
        waiting.await(1);
        // neither a user that may not see it nor one without the password waits for it
        assertThat(call(as("two", "/private")).get().status()).isEqualTo(403);
        assertThat(call(get("/private").with("Authorization", "Basic b25lOnR3bw=="))
                        .get()
                        .status())
                .isEqualTo(401);
        holding = false;
        released.countDown();
        assertThat(leader.get().body()).isEqualTo("one");
        assertThat(follower.get().body()).isEqualTo("one");
        assertThat(authorizations.get()).isGreaterThanOrEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void requestsOfNobodyShareAndGetTheHeadersOfTheFiltersEachByItself(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.strict());
        for (Response response : oneRunForTwo(get("/public"))) {
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.header("Cache-Control"))
                    .containsExactly("no-cache, no-store, max-age=0, must-revalidate");
        }
    }

    private List<Response> oneRunForTwo(Request request) throws Exception {
        holding = true;
        Caller<Response> leader = call(request);
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        Caller<Response> follower = call(request);
        waiting.await(1);
        holding = false;
        released.countDown();
        assertThat(follower.get().body()).isEqualTo(leader.get().body());
        assertThat(runs).hasValue(1);
        return List.of(leader.get(), follower.get());
    }
}

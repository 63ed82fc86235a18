package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.servlet.zoo.ZooHandler.PATH;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.servlet.zoo.ResponseFilters;
import io.github.collapseexecutor.http.servlet.zoo.Security;
import io.github.collapseexecutor.http.servlet.zoo.SessionFilter;
import io.github.collapseexecutor.http.servlet.zoo.ZooApplication;
import io.github.collapseexecutor.http.servlet.zoo.ZooApplication.Round;
import io.github.collapseexecutor.http.servlet.zoo.ZooClient.Call;
import io.github.collapseexecutor.http.servlet.zoo.ZooClient.Reply;
import io.github.collapseexecutor.http.servlet.zoo.ZooHandler;
import io.github.collapseexecutor.http.servlet.zoo.ZooSetting;
import io.github.collapseexecutor.http.servlet.zoo.ZooTest;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;
import org.springframework.security.web.header.writers.XContentTypeOptionsHeaderWriter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Filters that find out who asks: each user is answered as this user, and a stranger never. */
class FilterZooSecurityTests {

    /** Of each user; with a stranger and a guest, 20 ask at once. */
    private static final int CALLERS = 9;

    /** Where Spring Security keeps the user of a session. */
    private static final String LOGIN = HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY;

    /** Requests without a session. */
    private static final int NEWCOMERS = 20;

    /** The user whom the request and the thread name, which must be the same. */
    private static final ZooHandler.Shown USER = request -> {
        Principal principal = Objects.requireNonNull(request.getUserPrincipal(), "no principal");
        Authentication onThread = SecurityContextHolder.getContext().getAuthentication();
        return principal.getName() + " and " + (onThread == null ? "nobody" : onThread.getName());
    };

    private static ZooApplication.Builder forEachUser(ZooSetting setting) {
        return ZooApplication.on(setting).sharesForEachUser();
    }

    /** Registers a chain as Boot does. */
    private static ZooApplication start(ZooSetting setting, FilterChainProxy chain) {
        return forEachUser(setting).filterOfAllDispatches(chain).shows(USER).start();
    }

    /** Users in turn, then two requests that are refused, each for its own reason. */
    private static void assertEachIsAnsweredAsItself(
            ZooSetting setting, ZooApplication application, List<Call> users, Call stranger, Call guest, int refusal)
            throws Exception {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 2 * CALLERS; i++) {
            calls.add(users.get(i % 2));
        }
        calls.add(stranger);
        calls.add(guest);
        Round round = application.together(calls);
        for (int i = 0; i < 2 * CALLERS; i++) {
            Reply reply = round.replies().get(i);
            assertThat(reply.status() + " " + reply.body())
                    .as("request %s", i)
                    .isEqualTo(i % 2 == 0 ? "200 one and one" : "200 two and two");
            assertThat(reply.header("Cache-Control")).containsExactly("no-cache, no-store, max-age=0, must-revalidate");
        }
        assertThat(round.statuses().get(2 * CALLERS)).isEqualTo(refusal);
        assertThat(round.statuses().get(2 * CALLERS + 1)).isEqualTo(403);
        assertThat(round.runs()).isEqualTo(setting.runs(List.of(CALLERS, CALLERS)));
    }

    /** A filter of the application's own stands in the chain, so that the chain does not bear asynchronous dispatches. */
    @ZooTest({FilterChainProxy.class, Filter.class})
    void H37_aTokenThatAFilterReadsAuthenticatesForItsRequestOnly(ZooSetting setting) throws Exception {
        try (ZooApplication application = start(setting, Security.tokens())) {
            assertEachIsAnsweredAsItself(
                    setting,
                    application,
                    List.of(
                            Call.get(PATH).with("X-Token", "token of one"),
                            Call.get(PATH).with("X-Token", "token of two")),
                    Call.get(PATH).with("X-Token", "forged"),
                    Call.get(PATH).with("X-Token", "token of guest"),
                    401);
        }
    }

    @ZooTest({FilterChainProxy.class, Filter.class})
    void H37_aBearerTokenAuthenticatesForItsRequestOnly(ZooSetting setting) throws Exception {
        Security.Tokens tokens = new Security.Tokens();
        Security.Tokens forger = new Security.Tokens();
        try (ZooApplication application = start(setting, Security.bearer(tokens))) {
            assertEachIsAnsweredAsItself(
                    setting,
                    application,
                    List.of(
                            Call.get(PATH).with("Authorization", tokens.of("one")),
                            Call.get(PATH).with("Authorization", tokens.of("two"))),
                    Call.get(PATH).with("Authorization", forger.of("one")),
                    Call.get(PATH).with("Authorization", tokens.of("guest")),
                    401);
        }
    }

    @ZooTest(FilterChainProxy.class)
    void H31_aPasswordAuthenticatesForItsRequestOnly(ZooSetting setting) throws Exception {
        try (ZooApplication application = start(setting, Security.basic())) {
            assertEachIsAnsweredAsItself(
                    setting,
                    application,
                    List.of(
                            Call.get(PATH).with("Authorization", Security.basicCredentials("one", "one")),
                            Call.get(PATH).with("Authorization", Security.basicCredentials("two", "two"))),
                    Call.get(PATH).with("Authorization", Security.basicCredentials("one", "wrong")),
                    Call.get(PATH).with("Authorization", Security.basicCredentials("guest", "guest")),
                    401);
        }
    }

    /** They share by cookie: to a request with {@code Authorization}, only a public response is shared (H16). */
    @ZooTest(FilterChainProxy.class)
    void H31_usersThatShareAreEachLetInOrRefused(ZooSetting setting) throws Exception {
        try (ZooApplication application = ZooApplication.on(setting)
                .sharesAcrossUsers()
                .filterOfAllDispatches(Security.formLogin())
                .shows(request -> USER.of(request).isEmpty() ? "for nobody" : "for all")
                .start()) {
            List<Call> inTurn = List.of(
                    Call.get(PATH).with("Cookie", login(application, "one", "")),
                    Call.get(PATH).with("Cookie", login(application, "two", "")),
                    Call.get(PATH).with("Cookie", "JSESSIONID=forged"),
                    Call.get(PATH).with("Cookie", login(application, "guest", "")));
            List<Call> calls = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                calls.addAll(inTurn);
                expected.addAll(List.of("200 for all", "200 for all", "302", "403"));
            }
            Round round = application.together(calls);
            List<String> answers = round.replies().stream()
                    .map(reply -> reply.status() == 200 ? "200 " + reply.body() : Integer.toString(reply.status()))
                    .toList();
            assertThat(answers).isEqualTo(expected);
            assertThat(round.runs()).isEqualTo(setting.runs(List.of(2 * CALLERS)));
        }
    }

    @ZooTest(FilterChainProxy.class)
    void H31_aLoginAuthenticatesItsSessionUnderANewIdentity(ZooSetting setting) throws Exception {
        assertALoginAuthenticatesItsSession(setting, forEachUser(setting));
    }

    /** Spring Session wraps the request, and keeps the session when the request leaves its filter, so without an answer as well. */
    @ZooTest({SessionRepositoryFilter.class, FilterChainProxy.class})
    void H31_aLoginAuthenticatesItsSessionOfSpringSessionUnderANewIdentity(ZooSetting setting) throws Exception {
        Map<String, Session> sessions = new ConcurrentHashMap<>();
        assertALoginAuthenticatesItsSession(setting, forEachUser(setting).filterOfAllDispatches(sessions(sessions)));
        assertThat(sessions.values())
                .filteredOn(session -> session.getAttributeNames().contains(LOGIN))
                .as("the sessions of one, of two, and of the guest")
                .hasSize(3);
    }

    private static Filter sessions(Map<String, Session> sessions) {
        return new SessionRepositoryFilter<>(new MapSessionRepository(sessions));
    }

    private static void assertALoginAuthenticatesItsSession(ZooSetting setting, ZooApplication.Builder options)
            throws Exception {
        try (ZooApplication application =
                options.filterOfAllDispatches(Security.formLogin()).shows(USER).start()) {
            String before = login(application, "guest", "");
            String after = login(application, "one", before);
            assertThat(after).isNotEqualTo(before);
            assertEachIsAnsweredAsItself(
                    setting,
                    application,
                    List.of(
                            Call.get(PATH).with("Cookie", after),
                            Call.get(PATH).with("Cookie", login(application, "two", ""))),
                    Call.get(PATH).with("Cookie", before),
                    Call.get(PATH).with("Cookie", login(application, "guest", "")),
                    302);
        }
    }

    private static String login(ZooApplication application, String user, String session) throws Exception {
        Call form = Call.form("POST", "/login", "username=" + user + "&password=" + user);
        Reply reply = application.alone(session.isEmpty() ? form : form.with("Cookie", session));
        assertThat(reply.status()).isEqualTo(204);
        return session(reply);
    }

    private static String session(Reply reply) {
        assertThat(reply.header("Set-Cookie")).isNotEmpty();
        String cookie =
                reply.header("Set-Cookie").get(reply.header("Set-Cookie").size() - 1);
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @ZooTest(SessionFilter.class)
    void H37_eachRequestGetsASessionOfItsOwnThatLasts(ZooSetting setting) throws Exception {
        assertEachGetsASessionThatLasts(setting, forEachUser(setting));
    }

    @ZooTest({SessionRepositoryFilter.class, SessionFilter.class})
    void H37_eachRequestGetsASessionOfSpringSessionThatLasts(ZooSetting setting) throws Exception {
        Map<String, Session> sessions = new ConcurrentHashMap<>();
        assertEachGetsASessionThatLasts(setting, forEachUser(setting).filterOfAllDispatches(sessions(sessions)));
        assertThat(sessions).hasSize(NEWCOMERS);
    }

    private static void assertEachGetsASessionThatLasts(ZooSetting setting, ZooApplication.Builder options)
            throws Exception {
        try (ZooApplication application = options.filter(new SessionFilter()).start()) {
            List<Call> calls = Call.get(PATH).times(NEWCOMERS);
            Round first = application.together(calls);
            assertThat(first.bodies()).containsOnly("shown");
            assertThat(first.runs()).isEqualTo(setting.runs(List.of(NEWCOMERS)));
            List<String> cookies = first.replies().stream()
                    .map(FilterZooSecurityTests::session)
                    .toList();
            assertThat(cookies).doesNotHaveDuplicates();

            Round second = application.together(cookies.stream()
                    .map(cookie -> Call.get(PATH).with("Cookie", cookie))
                    .toList());
            assertThat(second.bodies()).containsOnly("shown");
            assertThat(second.replies())
                    .allSatisfy(reply ->
                            assertThat(reply.header(SessionFilter.HEADER)).containsExactly("2"));
            assertThat(second.runs()).isEqualTo(NEWCOMERS);
        }
    }

    /** Spring Session takes the cookie back when the response is committed, which is nothing that the handler does to the response. */
    @ZooTest(SessionRepositoryFilter.class)
    void H37_eachClientIsToldOfASessionThatItsHandlerBeganAndEnded(ZooSetting setting) throws Exception {
        try (ZooApplication application = ZooApplication.on(setting)
                .filterOfAllDispatches(sessions(new ConcurrentHashMap<>()))
                .shows(request -> {
                    request.getSession().invalidate();
                    return "ended";
                })
                .start()) {
            Round round = application.togetherAsAlone(Call.get(PATH).times(NEWCOMERS));
            assertThat(round.bodies()).containsOnly("ended");
            assertThat(round.replies())
                    .allSatisfy(reply -> assertThat(reply.header("Set-Cookie")).hasSize(1));
            assertThat(round.runs()).isEqualTo(NEWCOMERS);
        }
    }

    /** Spring Security writes its own where there are none. It does so when a request leaves its filters, so without an answer as well. */
    @ZooTest(FilterChainProxy.class)
    void H37_theCachingHeadersOfAHandlerReplaceThoseOfSpringSecurityForEachClient(ZooSetting setting) throws Exception {
        try (ZooApplication application = ZooApplication.on(setting)
                .filter((request, response, chain) -> {
                    if (request.getParameter("prefix") == null) {
                        chain.doFilter(request, response);
                    } else {
                        response.getOutputStream().print(")]}',");
                        chain.doFilter(request, new ResponseFilters.WithoutLength((HttpServletResponse) response));
                    }
                })
                .filterOfAllDispatches(new FilterChainProxy(new DefaultSecurityFilterChain(
                        AnyRequestMatcher.INSTANCE,
                        new HeaderWriterFilter(
                                List.of(new CacheControlHeadersWriter(), new XContentTypeOptionsHeaderWriter())))))
                .shows(request -> {
                    HttpServletResponse response = Objects.requireNonNull(
                            ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getResponse());
                    String caching = Objects.requireNonNull(request.getParameter("caching"));
                    switch (caching) {
                        case "fresh" -> response.addHeader("Cache-Control", "public, max-age=60");
                        case "replaced" -> response.setHeader("Cache-Control", "public, max-age=60");
                        case "expires" -> response.addDateHeader("Expires", 2_000_000_000_000L);
                        case "same" -> {
                            response.addHeader("ETag", "\"1\"");
                            response.setStatus(304);
                        }
                        default -> response.addHeader("ETag", "\"1\"");
                    }
                    return caching.equals("same") ? "" : caching;
                })
                .start()) {
            for (String caching : List.of("none", "fresh", "replaced", "expires", "same")) {
                Call call = Call.get(PATH + "?caching=" + caching);
                Round round = application.togetherAsAlone(
                        (caching.equals("same") ? call.with("If-None-Match", "\"1\"") : call).times(NEWCOMERS));
                assertThat(round.runs()).as(caching).isEqualTo(setting.runs(List.of(NEWCOMERS)));
                if (!caching.equals("same")) {
                    assertThat(round.replies())
                            .allSatisfy(reply -> assertThat(reply.header("X-Content-Type-Options"))
                                    .hasSize(1));
                }
            }

            // The headers of the filter behind stay: with them, the body that the one in front has begun would be lost.
            Round prefixed = application.together(
                    Call.get(PATH + "?caching=expires&prefix").times(NEWCOMERS));
            assertThat(prefixed.bodies()).containsOnly(")]}',expires");
        }
    }

    @ZooTest(SessionFilter.class)
    void H05_requestsWithASessionDoNotShareWhereUsersDoNot(ZooSetting setting) throws Exception {
        try (ZooApplication application =
                ZooApplication.on(setting).filter(new SessionFilter()).start()) {
            Round round = application.together(Call.get(PATH).times(NEWCOMERS));
            assertThat(round.bodies()).containsOnly("shown");
            assertThat(round.runs()).isEqualTo(NEWCOMERS);
        }
    }
}

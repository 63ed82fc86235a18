package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.servlet.zoo.ZooHandler.PATH;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.servlet.zoo.LimitFilters;
import io.github.collapseexecutor.http.servlet.zoo.RequestLog;
import io.github.collapseexecutor.http.servlet.zoo.ZooApplication;
import io.github.collapseexecutor.http.servlet.zoo.ZooApplication.Round;
import io.github.collapseexecutor.http.servlet.zoo.ZooClient.Call;
import io.github.collapseexecutor.http.servlet.zoo.ZooSetting;
import io.github.collapseexecutor.http.servlet.zoo.ZooTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CommonsRequestLoggingFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.filter.FormContentFilter;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.HiddenHttpMethodFilter;

/** Filters that change, log or refuse requests: each request is treated as it is without collapsing. */
class FilterZooRequestTests {

    private static final int CALLERS = 20;

    private static List<Call> mixed(Call first, Call second) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            calls.add(i % 2 == 0 ? first : second);
        }
        return calls;
    }

    @ZooTest(CorsFilter.class)
    void eachOriginIsAllowedForItself(ZooSetting setting) throws Exception {
        CorsConfiguration allowed = new CorsConfiguration();
        allowed.setAllowedOrigins(List.of("https://a.example", "https://b.example"));
        allowed.setAllowedMethods(List.of("GET", "PUT"));
        UrlBasedCorsConfigurationSource everywhere = new UrlBasedCorsConfigurationSource();
        everywhere.registerCorsConfiguration("/**", allowed);
        try (ZooApplication application =
                ZooApplication.on(setting).filter(new CorsFilter(everywhere)).start()) {
            Call first = Call.get(PATH).with("Origin", "https://a.example");
            Call second = Call.get(PATH).with("Origin", "https://b.example");
            Call stranger = Call.get(PATH).with("Origin", "https://c.example");
            Call preflight =
                    new Call("OPTIONS", PATH, second.headers(), "").with("Access-Control-Request-Method", "PUT");
            List<Call> calls = new ArrayList<>(mixed(first, second));
            calls.add(stranger);
            calls.add(preflight);
            Round round = application.togetherAsAlone(calls);
            for (int i = 0; i < CALLERS; i++) {
                assertThat(round.replies().get(i).header("Access-Control-Allow-Origin"))
                        .containsExactly(i % 2 == 0 ? "https://a.example" : "https://b.example");
                assertThat(round.replies().get(i).body()).isEqualTo("shown");
            }
            assertThat(round.statuses().get(CALLERS)).isEqualTo(403);
            assertThat(round.replies().get(CALLERS + 1).header("Access-Control-Allow-Methods"))
                    .containsExactly("GET,PUT");
            assertThat(round.runs()).isEqualTo(setting.runs(List.of(CALLERS / 2, CALLERS / 2)));
        }
    }

    @ZooTest(ForwardedHeaderFilter.class)
    void eachRequestSeesTheHostThatWasForwarded(ZooSetting setting) throws Exception {
        try (ZooApplication application = ZooApplication.on(setting)
                .filter(new ForwardedHeaderFilter())
                .shows(request -> request.getRequestURL().toString())
                .start()) {
            Call first = Call.get(PATH).with("X-Forwarded-Host", "a.example").with("X-Forwarded-Proto", "https");
            Call second = Call.get(PATH).with("X-Forwarded-Host", "b.example").with("X-Forwarded-Prefix", "/front");
            Round round = application.togetherAsAlone(mixed(first, second));
            for (int i = 0; i < CALLERS; i++) {
                assertThat(round.bodies().get(i))
                        .isEqualTo(i % 2 == 0 ? "https://a.example" + PATH : "http://b.example/front" + PATH);
            }
            assertThat(round.runs()).isEqualTo(setting.runs(List.of(CALLERS / 2, CALLERS / 2)));
        }
    }

    @ZooTest(FormContentFilter.class)
    void formsThatAreReadOnAFiltersBehalfAreNeverShared(ZooSetting setting) throws Exception {
        try (ZooApplication application = ZooApplication.on(setting)
                .filter(new FormContentFilter())
                .shows(request -> request.getMethod() + " " + request.getParameter("name"))
                .start()) {
            Round forms = application.togetherAsAlone(
                    mixed(Call.form("PUT", PATH, "name=one"), Call.form("PUT", PATH, "name=two")));
            assertThat(forms.bodies().subList(0, 2)).containsExactly("PUT one", "PUT two");
            assertThat(forms.runs()).isEqualTo(CALLERS);
            Round queries =
                    application.togetherAsAlone(mixed(Call.get(PATH + "?name=one"), Call.get(PATH + "?name=two")));
            assertThat(queries.bodies().subList(0, 2)).containsExactly("GET one", "GET two");
            assertThat(queries.runs()).isEqualTo(setting.runs(List.of(CALLERS / 2, CALLERS / 2)));
        }
    }

    @ZooTest(HiddenHttpMethodFilter.class)
    void hiddenMethodsAreNeverShared(ZooSetting setting) throws Exception {
        try (ZooApplication application = ZooApplication.on(setting)
                .filter(new HiddenHttpMethodFilter())
                .shows(request -> request.getMethod() + " " + request.getParameter("name"))
                .start()) {
            Round forms = application.togetherAsAlone(mixed(
                    Call.form("POST", PATH, "_method=delete&name=one"),
                    Call.form("POST", PATH, "_method=put&name=two")));
            assertThat(forms.bodies().subList(0, 2)).containsExactly("DELETE one", "PUT two");
            assertThat(forms.runs()).isEqualTo(CALLERS);
            Round queries = application.togetherAsAlone(
                    mixed(Call.get(PATH + "?_method=delete&name=one"), Call.get(PATH + "?name=two")));
            assertThat(queries.bodies().subList(0, 2)).containsExactly("GET one", "GET two");
            assertThat(queries.runs()).isEqualTo(setting.runs(List.of(CALLERS / 2, CALLERS / 2)));
        }
    }

    @ZooTest(RequestLog.Caching.class)
    void H37_aLogThatHoldsBodiesHasEachRequestOnceWithItsOwnBody(ZooSetting setting) throws Exception {
        RequestLog.Caching log = new RequestLog.Caching();
        assertEachIsLogged(setting, ZooApplication.on(setting).filter(log), log::lines);
    }

    @ZooTest(CommonsRequestLoggingFilter.class)
    void H37_springsRequestLogHasEachRequestOnceWithItsOwnBody(ZooSetting setting) throws Exception {
        RequestLog.OfSpring log = new RequestLog.OfSpring();
        assertEachIsLogged(setting, ZooApplication.on(setting).filter(log), log::lines);
    }

    private interface Lines {
        List<String> get();
    }

    private static void assertEachIsLogged(ZooSetting setting, ZooApplication.Builder zoo, Lines lines)
            throws Exception {
        try (ZooApplication application = zoo.shows(request ->
                        request.getMethod() + " " + request.getReader().lines().collect(Collectors.joining()))
                .start()) {
            Call first = new Call("POST", PATH, Call.get(PATH).headers(), "one").with("Content-Type", "text/plain");
            Call second = new Call("POST", PATH, Call.get(PATH).headers(), "two").with("Content-Type", "text/plain");
            Round posts = application.together(mixed(first, second));
            assertThat(posts.bodies().subList(0, 2)).containsExactly("POST one", "POST two");
            Round gets = application.together(Call.get(PATH).times(CALLERS));
            assertThat(gets.bodies()).containsOnly("GET ");
            assertThat(gets.runs()).isEqualTo(setting.runs(List.of(CALLERS)));
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                expected.add("POST " + (posts.firstNumber() + i) + (i % 2 == 0 ? " one" : " two"));
                expected.add("GET " + (gets.firstNumber() + i) + " ");
            }
            Collections.sort(expected);
            assertThat(lines.get().stream().sorted().toList()).isEqualTo(expected);
        }
    }

    @ZooTest(LimitFilters.Rate.class)
    void H31_aRateLimitRefusesTheSameRequestsAsWithoutCollapsing(ZooSetting setting) throws Exception {
        LimitFilters.Rate filter = new LimitFilters.Rate(CALLERS - 5);
        try (ZooApplication application =
                ZooApplication.on(setting).filter(filter).start()) {
            for (int second = 0; second < 2; second++) {
                Round round = application.together(
                        Call.get(PATH).with(LimitFilters.Rate.HEADER, "one").times(CALLERS));
                assertThat(round.statuses().subList(0, CALLERS - 5)).containsOnly(200);
                assertThat(round.statuses().subList(CALLERS - 5, CALLERS)).containsOnly(429);
                assertThat(round.replies().get(CALLERS - 1).header("Retry-After"))
                        .containsExactly("1");
                assertThat(round.runs()).isEqualTo(setting.runs(List.of(CALLERS - 5)));
                filter.nextSecond();
            }
        }
    }
}

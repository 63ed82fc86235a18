package io.github.collapseexecutor.http.rules;

import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestKeyTests {

    private static final CollapsePolicy LISTED = CollapsePolicy.named("listed")
            .requestHeaders(List.of("User-Id"))
            .requestQueries(List.of("sample", "a b"))
            .build();

    private static RequestKey key(CollapsePolicy policy, HttpRequestView request) {
        SharingRules rules = TestRules.of(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(policy, "/**")))
                .build());
        return request(rules.collapsible(request)).key();
    }

    @ParameterizedTest
    @CsvSource({
        "http://a/p, https://a/p",
        "http://a:80/p, https://a:80/p",
        "http://a/p, http://b/p",
        "http://a/p, http://A/p",
        "http://a/p, http://a:81/p",
        "http://a:443/p, http://a/p",
        "http://a_b/p, http://a_c/p",
        "http://u@a/p, http://a/p",
        "http://u@a/p, http://v@a/p",
        "http://[::1]/p, http://[::2]/p",
        "http://a/p, http://a/P",
        "http://a/p%41, http://a/pA",
        "http://a/p/./q, http://a/p/q",
        "http://a/p;v=1, http://a/p",
        "http://a/p, http://a/p?",
        "http://a/p?a=1&b=2, http://a/p?b=2&a=1",
        "http://a/p?q=a+b, http://a/p?q=a%20b",
        "http://a/p?q=%2F, http://a/p?q=/",
        "http://a/p?a=1, http://a/p?a=1&",
    })
    void H02_addressesThatDifferAtAllHaveDifferentKeys(String one, String other) {
        assertThat(key(CollapsePolicy.strict(), get(one))).isNotEqualTo(key(CollapsePolicy.strict(), get(other)));
    }

    @ParameterizedTest
    @CsvSource({
        "http://a/p, http://a:80/p",
        "https://a/p, https://a:443/p",
        "http://[::1]/p, http://[::1]:80/p",
        "http://a/p?b#one, http://a/p?b#two",
    })
    void H02_onlyDefaultPortsAndFragmentsDoNotCount(String one, String other) {
        assertThat(key(CollapsePolicy.strict(), get(one)))
                .isEqualTo(key(CollapsePolicy.strict(), get(other)))
                .hasSameHashCodeAs(key(CollapsePolicy.strict(), get(other)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a:80"})
    void H02_aHostHeaderThatRepeatsTheAddressDoesNotCount(String host) {
        assertThat(key(CollapsePolicy.strict(), get("http://a/p").with("Host", host)))
                .isEqualTo(key(CollapsePolicy.strict(), get("http://a/p")));
    }

    @Test
    void H02_aHostHeaderThatNamesAnotherHostCountsUnderEveryPolicy() {
        assertThat(key(CollapsePolicy.pathOnly(), get("http://a/p").with("Host", "b")))
                .isNotEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p")))
                .isNotEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p").with("Host", "c")));
    }

    @Test
    void H03_headAndGetHaveDifferentKeys() {
        assertThat(key(CollapsePolicy.pathOnly(), FakeRequest.of("HEAD", "http://a/p")))
                .isNotEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p")));
    }

    static Stream<Arguments> headersThatDiffer() {
        return Stream.of(
                arguments(
                        get("http://a/p").with("X-User-Id", "1"),
                        get("http://a/p").with("X-User-Id", "2")),
                arguments(get("http://a/p").with("X-User-Id", ""), get("http://a/p")),
                arguments(
                        get("http://a/p").with("X-User-Id", "1"),
                        get("http://a/p").with("X-User-Id", "1").with("X-User-Id", "1")),
                arguments(
                        get("http://a/p").with("X", "1").with("X", "2"),
                        get("http://a/p").with("X", "2").with("X", "1")),
                arguments(
                        get("http://a/p").with("X", "1, 2"),
                        get("http://a/p").with("X", "1").with("X", "2")),
                arguments(
                        get("http://a/p").with("X", "a").with("Y", "b"),
                        get("http://a/p").with("X", "b").with("Y", "a")),
                arguments(
                        get("http://a/p").with("Accept", "a/b"),
                        get("http://a/p").with("Accept", "a/c")));
    }

    @ParameterizedTest
    @MethodSource("headersThatDiffer")
    void H04_headersThatDifferAtAllHaveDifferentKeys(HttpRequestView one, HttpRequestView other) {
        assertThat(key(CollapsePolicy.strict(), one)).isNotEqualTo(key(CollapsePolicy.strict(), other));
    }

    @Test
    void H04_orderAndCaseOfHeaderNamesDoNotCount() {
        assertThat(key(CollapsePolicy.strict(), get("http://a/p").with("X", "1").with("Y", "2")))
                .isEqualTo(key(
                        CollapsePolicy.strict(),
                        get("http://a/p").with("y", "2").with("x", "1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Keep-Alive",
                "Date",
                "User-Agent",
                "Referer",
                "DNT",
                "Priority",
                "Sec-Fetch-Mode",
                "sec-ch-ua",
                "X-Forwarded-For",
                "X-Forwarded-By",
                "X-Forwarded-Server",
                "Via",
                "X-Request-Id",
                "X-Correlation-ID",
                "traceparent",
                "tracestate",
                "b3",
                "X-B3-TraceId",
                "uber-trace-id",
                "sw8",
                "x-http2-stream-id",
                "x-http2-stream-weight",
                "x-http2-stream-dependency-id"
            })
    void H04_documentedHeadersOfConnectionTraceAndBrowserDoNotCount(String name) {
        assertThat(key(CollapsePolicy.strict(), get("http://a/p").with(name, "1")))
                .isEqualTo(key(CollapsePolicy.strict(), get("http://a/p")));
    }

    @Test
    void H04_headersThatConnectionListsCountBecauseAHandlerStillSeesThem() {
        FakeRequest listing = get("http://a/p").with("Connection", "close, X-Api-Key, X-Hop");
        assertThat(key(CollapsePolicy.strict(), listing.with("X-Hop", "1")))
                .isNotEqualTo(key(
                        CollapsePolicy.strict(),
                        get("http://a/p")
                                .with("Connection", "close, X-Api-Key, X-Hop")
                                .with("X-Hop", "2")));
        assertThat(key(CollapsePolicy.pathOnly(), listing.with("X-Api-Key", "1")))
                .isNotEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Forwarded",
                "X-Forwarded-Host",
                "X-Forwarded-Proto",
                "X-Forwarded-Port",
                "X-Forwarded-Prefix",
                "X-Forwarded-Ssl",
                "X-Forwarded-Uri",
                "baggage",
                "X-Tenant"
            })
    void H04_headersThatChangeLinksRoutesOrTenantsCount(String name) {
        assertThat(key(CollapsePolicy.strict(), get("http://a/p").with(name, "1")))
                .isNotEqualTo(key(CollapsePolicy.strict(), get("http://a/p").with(name, "2")))
                .isNotEqualTo(key(CollapsePolicy.strict(), get("http://a/p")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-User",
                "X-Forwarded-Email",
                "X-Forwarded-Groups",
                "X-Forwarded-Preferred-Username",
                "X-Forwarded-Access-Token",
                "X-Forwarded-Client-Cert",
                "X-Forwarded-Tls-Client-Cert",
                "X-Forwarded-Tls-Client-Cert-Info",
                "X-Auth-Request-User",
                "Remote-User",
                "X-Remote-User",
                "X-Api-Key",
                "X-Auth-Token",
                "X-Amzn-Oidc-Data",
                "Cf-Access-Jwt-Assertion",
                "X-Goog-Iap-Jwt-Assertion",
                "X-Goog-Authenticated-User-Email",
                "X-Ms-Client-Principal-Id",
                "X-Ssl-Client-Cert"
            })
    void H05_headersInWhichProxiesNameTheUserCountUnderEveryPolicyThatDoesNotShareAcrossUsers(String name) {
        FakeRequest one = get("http://a/p").with(name, "1");
        FakeRequest two = get("http://a/p").with(name, "2");
        for (CollapsePolicy policy : List.of(CollapsePolicy.strict(), CollapsePolicy.pathOnly(), LISTED)) {
            assertThat(key(policy, one)).isNotEqualTo(key(policy, two)).isNotEqualTo(key(policy, get("http://a/p")));
        }
        CollapsePolicy sharing =
                CollapsePolicy.named("sharing").shareAcrossUsers(true).build();
        assertThat(key(sharing, one)).isEqualTo(key(sharing, two));
    }

    @Test
    void H05_theCredentialHeadersCanBeExtended() {
        SharingRules rules = TestRules.of(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                .credentialHeaders(List.of("X-Badge", "X-Acme-*"))
                .build());
        RequestKey nobody = request(rules.collapsible(get("http://a/p"))).key();
        for (String name : List.of("x-badge", "X-Acme-Member")) {
            assertThat(request(rules.collapsible(get("http://a/p").with(name, "1")))
                            .key())
                    .as(name)
                    .isNotEqualTo(nobody);
        }
    }

    @Test
    void H35_requestsOfTwoClientsHaveDifferentKeys() {
        Object client = new Object();
        assertThat(key(CollapsePolicy.pathOnly(), get("http://a/p").sentBy(client)))
                .isEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p").sentBy(client)))
                .isNotEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p").sentBy(new Object())))
                .isNotEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p")));
    }

    @Test
    void H39_aNullValueIsNeitherAnEmptyOneNorAnAbsentOne() {
        assertThat(key(CollapsePolicy.strict(), get("http://a/p").with("X-T", null)))
                .isEqualTo(key(CollapsePolicy.strict(), get("http://a/p").with("X-T", null)))
                .isNotEqualTo(key(CollapsePolicy.strict(), get("http://a/p").with("X-T", "")))
                .isNotEqualTo(key(CollapsePolicy.strict(), get("http://a/p")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Cache-Control", "Accept", "Content-Type", "Connection", "Pragma", "Cookie", "Host"})
    void H39_aNullValueOfAHeaderThatTheRulesReadIsAccepted(String name) {
        assertThat(key(CollapsePolicy.strict(), get("http://a/p").with(name, null)))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "Cookie",
                "Proxy-Authorization",
                "If-None-Match",
                "If-Modified-Since",
                "If-Match",
                "If-Unmodified-Since",
                "Idempotency-Key"
            })
    void H05_H07_H10_credentialsValidatorsAndIdempotencyKeysCountUnderEveryPolicy(String name) {
        assertThat(key(CollapsePolicy.pathOnly(), get("http://a/p").with(name, "1")))
                .isNotEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p").with(name, "2")))
                .isNotEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p")))
                .isEqualTo(key(CollapsePolicy.pathOnly(), get("http://a/p").with(name, "1")));
    }

    @Test
    void H05_aPolicyThatSharesAcrossUsersLeavesOutTheCredentialsItDoesNotList() {
        CollapsePolicy policy = CollapsePolicy.named("shared")
                .shareAcrossUsers(true)
                .requestHeaders(List.of("Cookie"))
                .build();
        assertThat(key(policy, get("http://a/p").with("Authorization", "1"))).isEqualTo(key(policy, get("http://a/p")));
        assertThat(key(policy, get("http://a/p").with("Cookie", "1"))).isNotEqualTo(key(policy, get("http://a/p")));
    }

    /** Every policy that can be written, but for names: no list, an empty one or one name of each kind, and all permissions. */
    static Stream<CollapsePolicy> policies() {
        return IntStream.range(0, 3 * 3 * 16).mapToObj(number -> {
            CollapsePolicy.Builder policy = CollapsePolicy.named("policy-" + number)
                    .strict((number & 1) != 0)
                    .shareAcrossUsers((number & 2) != 0)
                    .stripSetCookie((number & 4) != 0)
                    .clientAddress((number & 8) != 0);
            switch (number / 16 % 3) {
                case 0 -> policy.requestHeaders(List.of());
                case 1 -> policy.requestHeaders(List.of("x-listed"));
                default -> {} // no list of headers
            }
            switch (number / 48) {
                case 0 -> policy.requestQueries(List.of());
                case 1 -> policy.requestQueries(List.of("listed"));
                default -> {} // no list of parameters
            }
            return policy.build();
        });
    }

    @ParameterizedTest
    @MethodSource("policies")
    void H12_eachListOfAPolicySpeaksForItsOwnKind(CollapsePolicy policy) {
        int number = Integer.parseInt(policy.name().substring("policy-".length()));
        boolean strict = (number & 1) != 0;
        boolean noHeaders = number / 16 % 3 == 2;
        boolean noQueries = number / 48 == 2;
        RequestKey plain = key(policy, get("http://a/p?q=1"));
        assertThat(key(policy, get("http://a/p?q=2")).equals(plain))
                .as("a parameter")
                .isEqualTo(!strict && !noQueries);
        assertThat(key(policy, get("http://a/p?q=1&listed=1")).equals(plain))
                .as("the parameter that some policies list")
                .isEqualTo(!strict && number / 48 == 0);
        assertThat(key(policy, get("http://a/p?q=1").with("Accept-Language", "de"))
                        .equals(plain))
                .as("a header")
                .isEqualTo(!strict && !noHeaders);
        assertThat(key(policy, get("http://a/p?q=1").with("X-Listed", "1")).equals(plain))
                .as("the header that some policies list")
                .isEqualTo(!strict && number / 16 % 3 == 0);
        assertThat(key(policy, get("http://a/p?q=1").with("Cookie", "a=b")).equals(plain))
                .as("a credential")
                .isEqualTo(policy.shareAcrossUsers());
    }

    @Test
    void H12_aPolicyThatOnlyPermitsIsAsStrictAsTheDefault() {
        CollapsePolicy permitting =
                CollapsePolicy.named("permitting").stripSetCookie(true).build();
        for (String query : List.of("", "?q=1", "?q=2")) {
            assertThat(key(permitting, get("http://a/p" + query).with("X-Tenant", "1")))
                    .isEqualTo(key(
                            CollapsePolicy.strict(), get("http://a/p" + query).with("X-Tenant", "1")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://a/p?x=1, http://a/p",
        "http://a/p?sample=1&x=1, http://a/p?y=2&sample=1",
        "http://a/p?x=1, http://a/p?",
        "http://a/p?%C3=1, http://a/p",
    })
    void H12_parametersThatANamedPolicyDoesNotListDoNotCount(String one, String other) {
        assertThat(key(LISTED, get(one))).isEqualTo(key(LISTED, get(other)));
    }

    @ParameterizedTest
    @CsvSource({
        "http://a/p?sample=1, http://a/p?sample=2",
        "http://a/p?sample=1, http://a/p",
        "http://a/p?sample=, http://a/p",
        "http://a/p?sample, http://a/p",
        "http://a/p?sample=1&sample=2, http://a/p?sample=2&sample=1",
        "http://a/p?s%61mple=1, http://a/p?s%61mple=2",
        "http://a/p?x=1;sample=1, http://a/p?x=1;sample=2",
        "http://a/p?a+b=1, http://a/p?a+b=2",
        "http://a/p?a%20b=1, http://a/p?a%20b=2",
        "http://a/p, http://a/q",
    })
    void H12_parametersThatANamedPolicyListsCount(String one, String other) {
        assertThat(key(LISTED, get(one))).isNotEqualTo(key(LISTED, get(other)));
    }

    @Test
    void H12_headersCountAsANamedPolicyListsThem() {
        assertThat(key(LISTED, get("http://a/p").with("X-Other", "1").with("Accept", "a/b")))
                .isEqualTo(key(LISTED, get("http://a/p")));
        assertThat(key(LISTED, get("http://a/p").with("user-id", "1")))
                .isNotEqualTo(key(LISTED, get("http://a/p").with("user-id", "2")))
                .isNotEqualTo(key(LISTED, get("http://a/p")));
    }

    @ParameterizedTest
    @CsvSource({
        "http://Aa/p, http://BB/p",
        "http://a/Aa, http://a/BB",
        "http://a/p?Aa, http://a/p?BB",
        "http://Aa@a/p, http://BB@a/p",
    })
    void H02_keysOfEqualHashesAreToldApart(String one, String other) {
        assertThat(key(CollapsePolicy.strict(), get(one)))
                .hasSameHashCodeAs(key(CollapsePolicy.strict(), get(other)))
                .isNotEqualTo(key(CollapsePolicy.strict(), get(other)));
    }

    @Test
    void H04_headersOfEqualHashesAreToldApart() {
        assertThat(key(CollapsePolicy.strict(), get("http://a/p").with("X", "Aa")))
                .hasSameHashCodeAs(
                        key(CollapsePolicy.strict(), get("http://a/p").with("X", "BB")))
                .isNotEqualTo(key(CollapsePolicy.strict(), get("http://a/p").with("X", "BB")));
    }

    @Test
    void H33_aKeyShowsNothingOfTheRequest() {
        String shown = key(
                        CollapsePolicy.strict(),
                        get("http://secret-host/p?q=secret").with("Cookie", "secret"))
                .toString();
        assertThat(shown).startsWith("RequestKey@").doesNotContain("secret");
    }

    @Test
    void aKeyEqualsNothingButKeys() {
        assertThat(key(CollapsePolicy.strict(), get("http://a/p"))).isNotEqualTo("http://a/p");
    }
}

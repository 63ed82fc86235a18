package io.github.collapseexecutor.http.rules;

import static io.github.collapseexecutor.http.rules.Decided.forLeaderOnly;
import static io.github.collapseexecutor.http.rules.Decided.forwarded;
import static io.github.collapseexecutor.http.rules.Decided.head;
import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharingRulesTests {

    private final SharingRules rules = TestRules.of(HttpCollapseOptions.builder()
            .rules(List.of(
                    CollapseRule.of(CollapsePolicy.pathOnly(), "/paths/**"),
                    CollapseRule.of(CollapsePolicy.strict(), "/**")))
            .build());

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "QUERY"})
    void H01_onlyGetAndHeadCollapse(String method) {
        assertThat(rules.collapsible(FakeRequest.of(method, "http://a/p"))).isEqualTo(forwarded(Reason.METHOD));
        assertThat(rules.collapsible(get("http://a/p"))).isInstanceOf(CollapsibleRequest.class);
        assertThat(rules.collapsible(FakeRequest.of("HEAD", "http://a/p"))).isInstanceOf(CollapsibleRequest.class);
    }

    static Stream<Arguments> requestsForOneOnly() {
        return Stream.of(
                Arguments.of(get("http://a/p").with("Range", "bytes=0-1"), Reason.RANGE),
                Arguments.of(get("http://a/p").with("If-Range", "\"1\""), Reason.RANGE),
                Arguments.of(get("http://a/p").with("Cache-Control", "max-age=5, NO-STORE"), Reason.NO_STORE),
                Arguments.of(get("http://a/p").withBody(), Reason.BODY),
                Arguments.of(get("http://a/p").with("Expect", "100-continue"), Reason.PROTOCOL),
                Arguments.of(get("http://a/p").with("Upgrade", "websocket"), Reason.PROTOCOL),
                Arguments.of(get("http://a/p").with("Accept", "text/html, TEXT/event-stream;q=0.5"), Reason.STREAM),
                Arguments.of(get("http://a/p").with("Accept", "application/grpc"), Reason.STREAM),
                Arguments.of(get("http://a/p").with("Content-Type", "application/grpc+proto"), Reason.STREAM),
                Arguments.of(get("http://a/p").with("TE", "trailers"), Reason.PROTOCOL),
                Arguments.of(get("http://a/p").with("Trailer", "X"), Reason.PROTOCOL),
                Arguments.of(get("http://a/p").with("Early-Data", "1"), Reason.PROTOCOL));
    }

    @ParameterizedTest
    @MethodSource("requestsForOneOnly")
    void H06_H08_H09_requestsForOneResponseOfTheirOwnDoNotCollapse(FakeRequest request, Reason reason) {
        assertThat(rules.collapsible(request)).isEqualTo(forwarded(reason));
    }

    @ParameterizedTest
    @CsvSource({
        "Cache-Control, no-cache, false",
        "Cache-Control, max-age=0, false",
        "Cache-Control, 'max-age=\"0\"', false",
        "Cache-Control, max-age=x, false",
        "Cache-Control, 'max-age=5, max-age=0', false",
        "Pragma, no-cache, false",
        "Cache-Control, max-age=5, true",
        "Cache-Control, max-age=99999999999999999999, true",
        "Accept, a/b, true",
    })
    void H08_aRequestThatInsistsOnFreshnessJoinsNoRunningCall(String name, String value, boolean joins) {
        CollapsibleRequest request = request(rules.collapsible(get("http://a/p").with(name, value)));
        assertThat(request.joinsRunningCall()).isEqualTo(joins);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "PURGE"})
    void H11_theEndOfAnUnsafeRequestKeepsLaterReadsFromEarlierOnes(String method) {
        FakeRequest unsafe = FakeRequest.of(method, "http://A:80/p?any");
        RequestKey before = key("http://a/p");
        rules.forwarded(unsafe, FakeResponse.of(204));
        RequestKey after = key("http://a/p");
        assertThat(after).isNotEqualTo(before).isEqualTo(key("http://a/p"));
        rules.forwarded(unsafe, null);
        assertThat(key("http://a/p")).as("nobody knows how it ended").isNotEqualTo(after);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 405, 409, 500, 503})
    void H11_anUnsafeRequestThatEndsWithAnErrorKeepsNothingApart(int status) {
        RequestKey before = key("http://a/p");
        rules.forwarded(FakeRequest.of("POST", "http://a/p"), FakeResponse.of(status));
        assertThat(key("http://a/p")).isEqualTo(before);
    }

    @Test
    void H11_aSafeRequestKeepsNothingApart() {
        RequestKey before = key("http://a/p");
        rules.forwarded(FakeRequest.of("OPTIONS", "http://a/p"), FakeResponse.of(200));
        rules.forwarded(FakeRequest.of("OPTIONS", "http://a/p"), null);
        assertThat(key("http://a/p")).isEqualTo(before);
    }

    @Test
    void H11_theRootHasTwoSpellings() {
        RequestKey before = key("http://a");
        rules.forwarded(FakeRequest.of("POST", "http://a/"), FakeResponse.of(303));
        assertThat(key("http://a")).isNotEqualTo(before);
    }

    private RequestKey key(String uri) {
        return request(rules.collapsible(get(uri))).key();
    }

    @Test
    void H12_theFirstGroupThatMatchesDecides() {
        assertThat(key("http://a/paths/1?x")).isEqualTo(key("http://a/paths/1?y"));
        assertThat(key("http://a/others/1?x")).isNotEqualTo(key("http://a/others/1?y"));
    }

    @Test
    void H13_aPatternMayNameAHost() {
        SharingRules atOneHost = TestRules.of(HttpCollapseOptions.builder()
                .rules(List.of(
                        CollapseRule.of(CollapsePolicy.pathOnly(), "//users.example/user/*"),
                        CollapseRule.of(CollapsePolicy.strict(), "//*.example:8080/**")))
                .build());
        assertThat(request(atOneHost.collapsible(get("http://users.example/user/1")))
                        .policy())
                .isSameAs(CollapsePolicy.pathOnly());
        assertThat(request(atOneHost.collapsible(get("http://stock.example:8080/user/1")))
                        .policy())
                .isSameAs(CollapsePolicy.strict());
        assertThat(atOneHost.collapsible(get("http://stock.example/user/1")))
                .isEqualTo(forwarded(Reason.NOT_CONFIGURED));
        assertThat(atOneHost.isInGroup(get("http://stock.example/user/1"))).isFalse();
    }

    @Test
    void H13_aServerLooksForTheDispatchedPathAtTheSameHost() {
        SharingRules atOneHost = serverRules(
                CollapseRule.of(CollapsePolicy.strict(), "//users.example/user/*"),
                CollapseRule.of(CollapsePolicy.strict(), "//stock.example/stock/*"));
        FakeRequest straight = get("http://users.example/user/1").dispatched("/user/1", "", "/user/1", null);
        FakeRequest turned = get("http://users.example/user/1").dispatched("/user/1", "", "/stock/1", null);
        assertThat(atOneHost.collapsible(straight)).isInstanceOf(CollapsibleRequest.class);
        assertThat(atOneHost.collapsible(turned)).isEqualTo(forwarded(Reason.PATH));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://a/paths/%2e%2e/others/1", "http://a/paths/..;/others/1", "mailto:a@b"})
    void H13_anAmbiguousPathDoesNotCollapse(String uri) {
        assertThat(rules.collapsible(get(uri))).isEqualTo(forwarded(Reason.PATH));
    }

    private final SharingRules server = serverRules(
            CollapseRule.of(CollapsePolicy.strict(), "/internal/**"),
            CollapseRule.of(CollapsePolicy.named("other").build(), "/other/**"));

    @Test
    void H13_aRequestThatIsDispatchedElsewhereThanItSaysHasAnotherKey() {
        FakeRequest insider =
                get("http://a/internal/report").dispatched("/internal/report", "", "/internal/report", null);
        FakeRequest prefixed = get("http://a/internal/report").dispatched("/report", "/internal", "/report", null);
        assertThat(server.collapsible(insider)).isInstanceOf(CollapsibleRequest.class);
        assertThat(server.collapsible(prefixed))
                .as("its path on the wire belongs to no group")
                .isEqualTo(forwarded(Reason.NOT_CONFIGURED));
        SharingRules all = serverRules(CollapseRule.of(CollapsePolicy.pathOnly(), "/**"));
        assertThat(request(all.collapsible(prefixed)).key())
                .isNotEqualTo(request(all.collapsible(insider)).key());
    }

    @ParameterizedTest
    @CsvSource({
        "/internal/a, /internal/a, true",
        "/internal/a, /other/a, false",
        "/internal/a, /a, false",
        "/other/a, /internal/a, false",
        "/a, /internal/a, false",
        "/internal/a%20b, /internal/a b, true",
        "/internal/a, /internal/../a, false",
        "/internal/a, /internal//a, false",
        "/internal/a, /internal/%61, false",
        "/internal/a, '/internal/a\\b', false",
        "/internal/a, internal, false",
        "/internal/a, '', false",
        "/internal/, /internal/, true",
    })
    void H13_thePathOnTheWireAndTheDispatchedOneMustBelongToTheSameGroup(
            String received, String dispatched, boolean collapses) {
        FakeRequest request = get("http://a/internal/a").dispatched(received, "", dispatched, null);
        assertThat(server.collapsible(request) instanceof CollapsibleRequest).isEqualTo(collapses);
    }

    /** Or a caller of a fresh group would join a call that is running. */
    @Test
    void H13_groupsOfOnePolicyThatJoinDifferentlyAreNotTheSame() {
        CollapseRule fresh = CollapseRule.of(CollapsePolicy.strict(), "/internal/**");
        CollapseRule other = CollapseRule.of(CollapsePolicy.strict(), "/other/**");
        FakeRequest turned = get("http://a/other/a").dispatched("/other/a", "", "/internal/a", null);
        assertThat(serverRules(fresh, other).collapsible(turned)).isInstanceOf(CollapsibleRequest.class);
        assertThat(serverRules(fresh, other.joining(JoinMode.IN_FLIGHT)).collapsible(turned))
                .isEqualTo(forwarded(Reason.PATH));
    }

    @Test
    void H13_partsOfTheSameDispatchedPathAreToldApart() {
        FakeRequest bySuffix = get("http://a/internal/a").dispatched("/internal/a", "", "/internal", "/a");
        FakeRequest whole = get("http://a/internal/a").dispatched("/internal/a", "", "/internal/a", null);
        assertThat(request(server.collapsible(bySuffix)).key())
                .isNotEqualTo(request(server.collapsible(whole)).key());
    }

    @ParameterizedTest
    @CsvSource({
        "close, true",
        "'keep-alive, TE', true",
        "'Upgrade, HTTP2-Settings', true",
        "'close, X-Api-Key', false",
        "Cookie, false",
    })
    void H04_aServerCollapsesNoRequestWhoseConnectionListsAHeader(String connection, boolean collapses) {
        FakeRequest request = get("http://a/internal/a").with("Connection", connection);
        assertThat(server.collapsible(request) instanceof CollapsibleRequest).isEqualTo(collapses);
        assertThat(rules.collapsible(request)).as("a client").isInstanceOf(CollapsibleRequest.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2c", "TLS/1.2", "TLS/1.3, h2c"})
    void H09_anOfferThatReachedTheServersFilterWasNotTakenUp(String offer) {
        FakeRequest offering = get("http://a/internal/a")
                .with("Connection", "Upgrade, HTTP2-Settings")
                .with("Upgrade", offer)
                .with("HTTP2-Settings", "AAEAAEAAAAIAAAAB");
        assertThat(request(server.collapsible(offering)).key())
                .isEqualTo(request(server.collapsible(get("http://a/internal/a").with("Connection", "close")))
                        .key());
        assertThat(rules.collapsible(offering)).as("a client").isEqualTo(forwarded(Reason.PROTOCOL));
        assertThat(server.collapsible(get("http://a/internal/a").with("Upgrade", offer + ", websocket")))
                .isEqualTo(forwarded(Reason.PROTOCOL));
    }

    @Test
    void H12_aPolicyMayKeepClientAddressesApart() {
        SharingRules byAddress = serverRules(CollapseRule.of(
                CollapsePolicy.named("by-address")
                        .strict(true)
                        .clientAddress(true)
                        .build(),
                "/**"));
        RequestKey one = request(byAddress.collapsible(get("http://a/p").from("10.0.0.1")))
                .key();
        assertThat(request(byAddress.collapsible(get("http://a/p").from("10.0.0.2")))
                        .key())
                .isNotEqualTo(one);
        assertThat(request(byAddress.collapsible(get("http://a/p?x").from("10.0.0.1")))
                        .key())
                .as("the policy is based on the strict one")
                .isNotEqualTo(one);
        assertThat(request(server.collapsible(get("http://a/internal/a").from("10.0.0.1")))
                        .key())
                .isEqualTo(request(server.collapsible(get("http://a/internal/a").from("10.0.0.2")))
                        .key());
    }

    @Test
    void H36_anObstacleKeepsARequestFromCollapsingAndIsLoggedOnce() {
        try (Warnings warnings = new Warnings()) {
            for (int i = 0; i < 3; i++) {
                assertThat(rules.collapsible(get("http://a/p").obstructedBy("a filter stands behind")))
                        .isEqualTo(forwarded(Reason.OBSTACLE));
            }
            assertThat(rules.collapsible(FakeRequest.of("POST", "http://a/p").obstructedBy("of no interest")))
                    .isEqualTo(forwarded(Reason.METHOD));
            assertThat(warnings.messages()).containsExactly("Requests are not collapsed: a filter stands behind");
        }
    }

    /** For example where nothing of the request was seen to be sent. */
    @Test
    void H36_anObstacleThatShowsItselfWhenTheRequestIsSentKeepsTheResponseFromOthers() {
        try (Warnings warnings = new Warnings()) {
            for (int i = 0; i < 3; i++) {
                CollapsibleRequest leader = request(rules.collapsible(get("http://a/p")));
                assertThat(rules.shareable(
                                leader, get("http://a/p").obstructedBy("it was replaced"), FakeResponse.of(200)))
                        .isEqualTo(new ResponseDecision.ForLeaderOnly(Reason.CHANGED));
            }
            assertThat(warnings.messages()).containsExactly("Requests are not collapsed: it was replaced");
        }
    }

    @Test
    void H36_aClientWithEverOtherObstaclesDoesNotFillTheLog() {
        try (Warnings warnings = new Warnings()) {
            for (int i = 0; i < 100; i++) {
                assertThat(rules.collapsible(get("http://a/p").obstructedBy("filter " + i)))
                        .isEqualTo(forwarded(Reason.OBSTACLE));
            }
            assertThat(warnings.messages()).hasSize(20);
        }
    }

    @Test
    void H33_aCollapsibleRequestShowsNothingOfItself() {
        assertThat(String.valueOf(rules.collapsible(get("http://a/secret").with("Cookie", "secret"))))
                .contains("RequestKey@")
                .doesNotContain("secret");
    }

    @Test
    void H34_nothingCollapsesWithoutAGroup() {
        SharingRules none = TestRules.of(HttpCollapseOptions.builder().build());
        assertThat(none.collapsible(get("http://a/p"))).isEqualTo(forwarded(Reason.NOT_CONFIGURED));
        SharingRules elsewhere = TestRules.of(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/q")))
                .build());
        assertThat(elsewhere.collapsible(get("http://a/p"))).isEqualTo(forwarded(Reason.NOT_CONFIGURED));
    }

    private static SharingRules serverRules(CollapsePolicy policy) {
        return serverRules(CollapseRule.of(policy, "/**"));
    }

    private static SharingRules serverRules(CollapseRule... groups) {
        return TestRules.of(HttpCollapseOptions.builder().rules(List.of(groups)).build(), Side.SERVER, HttpTime.SYSTEM);
    }

    static Stream<FakeRequest> requestsOfSomebody() {
        return Stream.of(
                get("http://a/p").with("Authorization", "one"),
                get("http://a/p").with("Cookie", "session=one"),
                get("http://a/p").with("Proxy-Authorization", "one"),
                get("http://a/p").with("X-Forwarded-User", "one"),
                get("http://a/p").with("X-Amzn-Oidc-Identity", "one"),
                get("http://a/p").ofUser());
    }

    @ParameterizedTest
    @MethodSource("requestsOfSomebody")
    void H05_aServerCollapsesRequestsOfSomebodyOnlyIfThePolicySaysSo(FakeRequest request) {
        assertThat(rules.collapsible(request)).isInstanceOf(CollapsibleRequest.class);
        assertThat(serverRules(CollapsePolicy.strict()).collapsible(request)).isEqualTo(forwarded(Reason.CREDENTIALS));
        assertThat(serverRules(CollapsePolicy.pathOnly()).collapsible(request))
                .isEqualTo(forwarded(Reason.CREDENTIALS));
        CollapsePolicy sharing =
                CollapsePolicy.named("public").shareAcrossUsers(true).build();
        assertThat(serverRules(sharing).collapsible(request)).isInstanceOf(CollapsibleRequest.class);
        assertThat(serverRules(CollapsePolicy.strict()).collapsible(get("http://a/p")))
                .isInstanceOf(CollapsibleRequest.class);
    }

    @Test
    void H15_aResponseThatItsAdapterKeepsForTheLeaderIsNotShared_andRemembered() {
        FakeRequest request = get("http://a/p");
        CollapsibleRequest leader = request(rules.collapsible(request));
        assertThat(rules.shareable(leader, request, FakeResponse.of(200))).isInstanceOf(ShareableHead.class);
        assertThat(rules.passes(leader)).isFalse();
        assertThat(rules.shareable(leader, request, FakeResponse.of(200).forLeaderOnly()))
                .isEqualTo(forLeaderOnly(Reason.ADAPTER));
        assertThat(rules.passes(leader)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Type, text/event-stream, STREAM",
        "Cache-Control, no-store, NO_STORE",
        "Set-Cookie, a=b, SET_COOKIE",
        "ETag, \"1\", ADAPTER"
    })
    void theReasonOfAResponseThatItsAdapterKeepsIsWhatItsHeadersSay(String name, String value, Reason reason) {
        FakeRequest request = get("http://a/p");
        CollapsibleRequest leader = request(rules.collapsible(request));
        assertThat(rules.shareable(
                        leader, request, FakeResponse.of(200).with(name, value).forLeaderOnly()))
                .isEqualTo(forLeaderOnly(reason));
    }

    @ParameterizedTest
    @CsvSource({
        "301, , , true",
        "308, Cache-Control, public, true",
        "302, , , false",
        "307, Cache-Control, max-age=60, true",
        "301, Cache-Control, no-store, false",
        "301, Cache-Control, private, false",
        "301, Set-Cookie, a=1, false",
        "301, Vary, *, false",
        "301, Vary, Accept, true",
        "401, , , false",
        "503, Retry-After, 0, true",
        "408, , , true",
        "408, Set-Cookie, a=1, false",
        "0, , , false",
    })
    void H42_aResponseIsSharedIfEachStepThatLedToItMayBe(int status, String name, String value, boolean shared) {
        FakeRequest request = get("http://a/p");
        CollapsibleRequest leader = request(rules.collapsible(request));
        HttpResponseView step = status == 0
                ? HttpResponseView.unknown()
                : name == null
                        ? FakeResponse.of(status)
                        : FakeResponse.of(status).with(name, value);
        ResponseDecision decision =
                rules.shareable(leader, request, FakeResponse.of(200).after(FakeResponse.of(301), step));
        if (shared) {
            assertThat(decision).isInstanceOf(ShareableHead.class);
        } else {
            assertThat(decision).isEqualTo(forLeaderOnly(Reason.REDIRECT));
        }
    }

    @Test
    void H42_theHeadersThatARedirectDependsOnCountForItsResponse() {
        FakeRequest request = get("http://a/paths/1").with("User-Agent", "one");
        CollapsibleRequest leader = request(rules.collapsible(request));
        ShareableHead head = head(rules.shareable(
                leader, request, FakeResponse.of(200).after(FakeResponse.of(301).with("Vary", "User-Agent"))));
        assertThat(head.suits(leader)).isTrue();
        assertThat(head.suits(request(rules.collapsible(get("http://a/paths/1").with("User-Agent", "two")))))
                .isFalse();
        assertThat(head(rules.shareable(
                                leader,
                                request,
                                FakeResponse.of(200).after(FakeResponse.of(301).with("Cache-Control", "max-age=0"))))
                        .isForWaitingOnly())
                .isTrue();
    }

    @Test
    void H42_aCookieOfAStepIsNoMatterOfThePolicy() {
        SharingRules stripping = TestRules.of(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(
                        CollapsePolicy.named("strips").stripSetCookie(true).build(), "/**")))
                .build());
        FakeRequest request = get("http://a/p");
        CollapsibleRequest leader = request(stripping.collapsible(request));
        FakeResponse step = FakeResponse.of(301).with("Set-Cookie", "a=1");
        assertThat(stripping.shareable(leader, request, FakeResponse.of(200).with("Set-Cookie", "b=1")))
                .isInstanceOf(ShareableHead.class);
        assertThat(stripping.shareable(leader, request, FakeResponse.of(200).after(step)))
                .isEqualTo(forLeaderOnly(Reason.REDIRECT));
    }

    @Test
    void H42_aRequestWithCredentialsIsSentAloneWhereRedirectsAreFollowedUnseen() {
        FakeRequest request = get("http://a/p").followingUnseen("a setting");
        CollapsibleRequest leader = request(rules.collapsible(request));
        try (Warnings warnings = new Warnings()) {
            assertThat(rules.collapsible(
                            get("http://a/p").with("Authorization", "Basic x").followingUnseen("a setting")))
                    .isEqualTo(forwarded(Reason.REDIRECT));
            assertThat(rules.collapsible(get("http://me:secret@a/p").followingUnseen("a setting")))
                    .isEqualTo(forwarded(Reason.REDIRECT));
            assertThat(rules.shareable(leader, request, FakeResponse.of(200))).isInstanceOf(ShareableHead.class);
            FakeRequest user = get("http://a/p").with("Cookie", "a=1");
            CollapsibleRequest ofUser = request(rules.collapsible(user));
            assertThat(rules.shareable(ofUser, user.followingUnseen("a setting"), FakeResponse.of(200)))
                    .isEqualTo(forLeaderOnly(Reason.REDIRECT));
            assertThat(warnings.messages()).singleElement().asString().contains("a setting");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "Cookie", "X-Auth-Request-User", "X-Own", "X-Beginning-Of-Many"})
    void H42_aResponseBehindUnseenRedirectsIsForNobodyWithCredentialsWhateverThePolicySays(String credentials) {
        SharingRules sharing = TestRules.of(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(
                        CollapsePolicy.named("shared").shareAcrossUsers(true).build(), "/**")))
                .credentialHeaders(List.of("X-Own", "X-Beginning-*"))
                .build());
        FakeRequest request = get("http://a/p");
        CollapsibleRequest leader = request(sharing.collapsible(request));
        CollapsibleRequest user = request(sharing.collapsible(get("http://a/p").with(credentials, "x")));
        CollapsibleRequest other = request(sharing.collapsible(get("http://a/p")));
        assertThat(head(sharing.shareable(leader, request, FakeResponse.of(200)))
                        .suits(user))
                .isTrue();
        ShareableHead unseen =
                head(sharing.shareable(leader, request.followingUnseen("a setting"), FakeResponse.of(200)));
        assertThat(unseen.suits(user)).isFalse();
        assertThat(unseen.suits(other)).isTrue();
    }

    @Test
    void H05_aServerSharesNoResponseToARequestThatBecameSomebodys() {
        SharingRules server = serverRules(CollapsePolicy.strict());
        FakeRequest request = get("http://a/p");
        CollapsibleRequest leader = request(server.collapsible(request));
        assertThat(server.shareable(leader, request, FakeResponse.of(200))).isInstanceOf(ShareableHead.class);
        assertThat(server.shareable(leader, request.ofUser(), FakeResponse.of(200)))
                .isEqualTo(forLeaderOnly(Reason.CREDENTIALS));
    }

    @ParameterizedTest
    @CsvSource({
        "gzip, gzip, true",
        "gzip, 'br, gzip;q=0.5', true",
        "gzip, x-gzip, true",
        "X-GZIP, gzip, true",
        "gzip, *, true",
        "gzip, '*, gzip;q=0', false",
        "gzip, 'gzip;q=0', false",
        "gzip, 'gzip;q=0.000', false",
        "gzip, 'gzip;q=high', false",
        "gzip, 'gzip, gzip;q=0', false",
        "gzip, '*;q=0', false",
        "gzip, br, false",
        "gzip, '', false",
        "gzip, , false",
        "'gzip, br', 'gzip, br', true",
        "'gzip, br', gzip, false",
    })
    void H30_encodedBytesGoToCallersThatAllowTheCoding(String coding, String acceptEncoding, boolean shared) {
        FakeRequest follower = get("http://a/paths/1");
        if (acceptEncoding != null) {
            follower.with("Accept-Encoding", acceptEncoding);
        }
        SharedResponse response = shared(FakeResponse.of(200).with("Content-Encoding", coding));
        CollapsibleRequest request = request(rules.collapsible(follower));
        assertThat(response.mayAnswer(request)).isEqualTo(shared);
    }

    @Test
    void H30_whereTheOriginNamesTheHeaderItMustBeEqual() {
        SharedResponse response =
                shared(FakeResponse.of(200).with("Content-Encoding", "gzip").with("Vary", "Accept-Encoding"));
        FakeRequest follower = get("http://a/paths/1").with("Accept-Encoding", "gzip, br");
        assertThat(response.mayAnswer(request(rules.collapsible(follower)))).isFalse();
    }

    private SharedResponse shared(FakeResponse response) {
        FakeRequest leading = get("http://a/paths/1").with("Accept-Encoding", "gzip, deflate, br");
        CollapsibleRequest leader = request(rules.collapsible(leading));
        ShareableHead head = head(rules.shareable(leader, leading, response));
        return head.complete(new byte[0], null);
    }
}

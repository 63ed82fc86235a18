package io.github.collapseexecutor.http.rules;

import static io.github.collapseexecutor.http.rules.Decided.forLeaderOnly;
import static io.github.collapseexecutor.http.rules.Decided.head;
import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseRulesTests {

    private static final CollapsePolicy ACROSS_USERS =
            CollapsePolicy.named("across").shareAcrossUsers(true).build();

    private final ManualHttpTime time = new ManualHttpTime();

    private SharingRules rules(CollapsePolicy policy) {
        return TestRules.of(
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(policy, "/**")))
                        .build(),
                Side.CLIENT,
                time);
    }

    private CollapsibleRequest collapsible(CollapsePolicy policy, FakeRequest request) {
        return request(rules(policy).collapsible(request));
    }

    private ResponseDecision decide(CollapsePolicy policy, FakeRequest request, FakeResponse response) {
        return rules(policy).shareable(collapsible(policy, request), request, response);
    }

    private ResponseDecision decide(FakeResponse response) {
        return decide(CollapsePolicy.strict(), get("http://a/p"), response);
    }

    private SharedResponse shared(FakeRequest request, FakeResponse response) {
        return head(decide(CollapsePolicy.pathOnly(), request, response))
                .complete("body".getBytes(StandardCharsets.UTF_8), null);
    }

    @Test
    void H14_aFollowerMustHaveTheLeadersValuesOfWhatTheResponseVariesBy() {
        SharedResponse response = shared(
                get("http://a/p").with("Accept", "a/b").with("X", ""),
                FakeResponse.of(200).with("Vary", "accept, X").with("Vary", "Y"));
        assertThat(response.mayAnswer(follower(get("http://a/p").with("X", "").with("Accept", "a/b"))))
                .isTrue();
        assertThat(response.mayAnswer(follower(get("http://a/p").with("Accept", "a/b"))))
                .isFalse();
        assertThat(response.mayAnswer(follower(get("http://a/p").with("X", "").with("Accept", "a/c"))))
                .isFalse();
        assertThat(response.mayAnswer(follower(
                        get("http://a/p").with("X", "").with("Accept", "a/b").with("Y", "1"))))
                .isFalse();
    }

    @Test
    void H14_followersOfEqualValuesRegroup() {
        SharedResponse response = shared(get("http://a/p"), FakeResponse.of(200).with("Vary", "X"));
        assertThat(response.regroupBy(follower(get("http://a/p").with("X", "1").with("Y", "1"))))
                .isEqualTo(response.regroupBy(
                        follower(get("http://a/p").with("X", "1").with("Y", "2"))))
                .isNotEqualTo(response.regroupBy(follower(get("http://a/p").with("X", "2"))));
    }

    private CollapsibleRequest follower(FakeRequest request) {
        return collapsible(CollapsePolicy.pathOnly(), request);
    }

    @ParameterizedTest
    @CsvSource({
        "Vary, *, VARY",
        "Vary, 'Accept, *', VARY",
        "Cache-Control, no-store, NO_STORE",
        "Cache-Control, 'max-age=5,No-Store', NO_STORE",
        "Cache-Control, 'a=\"b, no-store', NO_STORE",
        "Cache-Control, private, PRIVATE",
        "Cache-Control, 'private=\"x\"', PRIVATE",
        "Cache-Control, no-cache, NO_CACHE",
        "Cache-Control, 'no-cache=\"Set-Cookie\"', NO_CACHE",
        "Set-Cookie, a=b, SET_COOKIE",
        "Set-Cookie2, a=b, PERSONAL",
        "WWW-Authenticate, Basic, PERSONAL",
        "Proxy-Authenticate, Basic, PERSONAL",
        "Authentication-Info, a=b, PERSONAL",
        "Proxy-Authentication-Info, a=b, PERSONAL",
        "Clear-Site-Data, \"*\", PERSONAL",
        "Content-Type, text/event-stream, STREAM",
        "Content-Type, multipart/x-mixed-replace;boundary=a, STREAM",
        "Content-Type, application/grpc+proto, STREAM",
        "Content-Type, application/x-ndjson, STREAM",
        "Content-Type, application/ndjson, STREAM",
        "Content-Type, application/jsonl, STREAM",
        "Content-Type, application/json-seq, STREAM",
        "Content-Type, application/stream+json, STREAM",
    })
    void H14_to_H18_responsesForOneReceiverAreNotShared(String name, String value, Reason reason) {
        assertThat(decide(FakeResponse.of(200).with(name, value))).isEqualTo(forLeaderOnly(reason));
    }

    @ParameterizedTest
    @CsvSource({
        "Vary, Accept",
        "Cache-Control, max-age=60",
        "Cache-Control, 'ext=\"no-store, private\"'",
        "Cache-Control, 'ext=\"\\\", no-store\"'",
        "Cache-Control, public",
        "Content-Type, text/html",
        "X-Own, a",
    })
    void responsesForEverybodyAreShared(String name, String value) {
        assertThat(decide(FakeResponse.of(200).with(name, value))).isInstanceOf(ShareableHead.class);
    }

    @ParameterizedTest
    @CsvSource({
        "private, false, true",
        "private, true, false",
        "'', true, false",
        "'', false, true",
        "max-age=60, true, false",
        "public, true, true",
        "s-maxage=60, true, true",
        "must-revalidate, true, true",
    })
    void H16_aResponseThatBelongsToAUserIsSharedOnlyWhereTheKeyHoldsTheCredentials(
            String cacheControl, boolean acrossUsers, boolean isShared) {
        CollapsePolicy policy = acrossUsers ? ACROSS_USERS : CollapsePolicy.pathOnly();
        FakeRequest request = get("http://a/p").with("Authorization", "1");
        assertThat(
                        decide(policy, request, FakeResponse.of(200).with("Cache-Control", cacheControl))
                                instanceof ShareableHead)
                .isEqualTo(isShared);
    }

    @Test
    void H16_aListedCredentialIsInTheKeyAndAnUnlistedOneIsNot() {
        CollapsePolicy policy = CollapsePolicy.named("by-user")
                .shareAcrossUsers(true)
                .requestHeaders(List.of("Authorization"))
                .build();
        FakeResponse secret = FakeResponse.of(200).with("Cache-Control", "private");
        assertThat(decide(policy, get("http://a/p").with("Authorization", "1"), secret))
                .isInstanceOf(ShareableHead.class);
        assertThat(decide(policy, get("http://a/p").with("Authorization", "1").with("Cookie", "1"), secret))
                .isEqualTo(forLeaderOnly(Reason.PRIVATE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"max-age=0", "s-maxage=0", "max-age=60, s-maxage=0", "max-age=never"})
    void H17_aResponseThatIsStaleAtOnceIsForCallersThatCameBeforeIt(String cacheControl) {
        CollapsibleRequest early = follower(get("http://a/p"));
        SharedResponse response = shared(get("http://a/p"), FakeResponse.of(200).with("Cache-Control", cacheControl));
        time.advance(Duration.ofNanos(1));
        CollapsibleRequest late = follower(get("http://a/p"));
        assertThat(response.mayAnswer(early)).isTrue();
        assertThat(response.mayAnswer(late)).isFalse();
        assertThat(response.mayRegroup(early)).isTrue();
        assertThat(response.mayRegroup(late)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "200, '', true",
        "203, '', true",
        "204, '', true",
        "300, '', true",
        "301, '', true",
        "308, '', true",
        "404, '', true",
        "405, '', true",
        "410, '', true",
        "414, '', true",
        "501, '', true",
        "429, '', true",
        "503, '', true",
        "500, '', true",
        "100, max-age=60, false",
        "600, max-age=60, false",
        "206, max-age=60, false",
        "401, max-age=60, false",
        "407, max-age=60, false",
        "201, '', false",
        "302, '', false",
        "302, max-age=0, false",
        "302, max-age=60, true",
        "302, s-maxage=60, true",
        "302, 'max-age=60, s-maxage=0', false",
        "400, '', false",
        "400, public, false",
        "403, '', false",
        "304, max-age=60, false",
    })
    void H19_theStatusDecides(int status, String cacheControl, boolean isShared) {
        ResponseDecision decision = decide(FakeResponse.of(status).with("Cache-Control", cacheControl));
        assertThat(decision instanceof ShareableHead).isEqualTo(isShared);
    }

    @ParameterizedTest
    @CsvSource({
        "'Sat, 21 Nov 2026 00:00:01 GMT', true",
        "'Sat, 21 Nov 2026 00:00:00 GMT', false",
        "0, false",
    })
    void H19_anExpiryAfterTheDateIsFreshness(String expires, boolean isShared) {
        ResponseDecision decision = decide(FakeResponse.of(302)
                .with("Date", "Sat, 21 Nov 2026 00:00:00 GMT")
                .with("Expires", expires));
        assertThat(decision instanceof ShareableHead).isEqualTo(isShared);
    }

    @Test
    void H19_anExpiryWithoutADateIsComparedWithNow() {
        FakeResponse response = FakeResponse.of(302).with("Expires", "Sun, 22 Nov 2026 10:00:01 GMT");
        assertThat(time.now()).isEqualTo("2026-11-22T10:00:00Z");
        assertThat(decide(response)).isInstanceOf(ShareableHead.class);
        time.advance(Duration.ofSeconds(1));
        assertThat(decide(response)).isEqualTo(forLeaderOnly(Reason.STATUS));
    }

    @ParameterizedTest
    @CsvSource({"429, false", "503, false", "500, true", "502, true", "501, false", "404, false"})
    void H22_otherServerErrorsAreFailures(int status, boolean isFailure) {
        SharedResponse response = shared(get("http://a/p"), FakeResponse.of(status));
        assertThat(response.isErrorResponse()).isEqualTo(isFailure);
    }

    @Test
    void H27_aBodyOfAnotherLengthThanAnnouncedIsNotShared() {
        ShareableHead head = head(decide(FakeResponse.of(200).with("Content-Length", "5")));
        assertThat(head.contentLength()).isEqualTo(5);
        assertThat(head.fits(4)).isFalse();
        assertThat(head.fits(6)).isFalse();
        assertThat(head.fits(5)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> head.complete(new byte[4], null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "+1", "1.0", "3, 3", "99999999999999999999"})
    void H39_aLengthThatIsNoNumberIsNotRepairedForOthers(String length) {
        assertThat(decide(FakeResponse.of(200).with("Content-Length", length))).isEqualTo(forLeaderOnly(Reason.LENGTH));
    }

    @Test
    void H39_aLengthThatIsRepeatedIsNotRepairedForOthers() {
        assertThat(decide(FakeResponse.of(200).with("Content-Length", "3").with("Content-Length", "3")))
                .isEqualTo(forLeaderOnly(Reason.LENGTH));
    }

    @Test
    void H29_aLengthIsNotAddedWhereTheOriginSentNone() {
        ShareableHead head = head(decide(FakeResponse.of(200)));
        assertThat(head.contentLength()).isEqualTo(-1);
        assertThat(headersOf(head.complete(new byte[3], null), SharedResponse.Receiver.LEADER))
                .isEmpty();
    }

    @Test
    void H29_everyEndToEndHeaderIsKeptAndTheOthersAreNot() {
        FakeResponse response = FakeResponse.of(200)
                .with("ETag", "\"1\"")
                .with("Link", "a")
                .with("Link", "b")
                .with("Connection", "X-Hop")
                .with("X-Hop", "1")
                .with("Keep-Alive", "timeout=5")
                .with("Proxy-Connection", "close")
                .with("TE", "x")
                .with("Trailer", "X")
                .with("Transfer-Encoding", "chunked")
                .with("Upgrade", "h2c");
        SharedResponse shared = shared(get("http://a/p"), response);
        assertThat(headersOf(shared, SharedResponse.Receiver.FOLLOWER))
                .isEqualTo(Map.of("ETag", List.of("\"1\""), "Link", List.of("a", "b")));
        assertThat(shared.status()).isEqualTo(200);
        assertThat(shared.reason()).isEqualTo("Reason");
        assertThat(shared.bodyLength()).isEqualTo(4);
    }

    private static Map<String, List<String>> headersOf(SharedResponse response, SharedResponse.Receiver receiver) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        response.forEachHeader(receiver, (name, values) -> headers.put(name, new ArrayList<>(values)));
        return headers;
    }

    @Test
    void H30_aContentCodingVariesByAcceptEncoding() {
        SharedResponse response = shared(
                get("http://a/p").with("Accept-Encoding", "gzip"),
                FakeResponse.of(200).with("Content-Encoding", "gzip"));
        assertThat(response.mayAnswer(follower(get("http://a/p").with("Accept-Encoding", "gzip"))))
                .isTrue();
        assertThat(response.mayAnswer(follower(get("http://a/p")))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "Authorization, 1, false",
        "X-Tenant, 1, false",
        "Range, bytes=0-1, false",
        "traceparent, 1, true",
    })
    void aResponseToARequestThatWasChangedOnItsWayIsNotShared(String name, String value, boolean isShared) {
        FakeRequest request = get("http://a/p");
        CollapsibleRequest leader = collapsible(CollapsePolicy.strict(), request);
        request.with(name, value);
        ResponseDecision decision = rules(CollapsePolicy.strict()).shareable(leader, request, FakeResponse.of(200));
        assertThat(decision instanceof ShareableHead).isEqualTo(isShared);
    }

    private static FakeResponse withHeader(Reason reason) {
        FakeResponse plain = FakeResponse.of(200);
        return switch (reason) {
            case NO_STORE -> plain.with("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate");
            case NO_CACHE -> plain.with("Cache-Control", "no-cache");
            case PRIVATE -> plain.with("Cache-Control", "private");
            case SET_COOKIE -> plain.with("Set-Cookie", "session=secret");
            case PERSONAL -> plain.with("X-CSRF-TOKEN", "secret");
            case VARY -> plain.with("Vary", "*");
            case LENGTH -> plain.with("Content-Length", "seven");
            case STREAM -> plain.with("Content-Type", "text/event-stream");
            case TOO_LARGE -> plain.with("Content-Length", "99999999999");
            default -> throw new AssertionError(reason);
        };
    }

    /** Nothing else would say so while an origin forbids sharing with each response, as Spring Security does by default. */
    @ParameterizedTest
    @CsvSource({
        "NO_STORE, 'Cache-Control: no-store', cacheControl(cache -> cache.disable())",
        "NO_CACHE, 'Cache-Control: no-cache', cacheControl(cache -> cache.disable())",
        "PRIVATE, 'Cache-Control: private', leave it out",
        "SET_COOKIE, Set-Cookie, strip-set-cookie",
        "PERSONAL, WWW-Authenticate, leave it out",
        "VARY, 'Vary: *', name the headers",
        "LENGTH, Content-Length, Correct it",
        "STREAM, Content-Type, out of the groups",
        "TOO_LARGE, max-body-size (2097152 bytes), Raise that",
    })
    void H33_aHeaderThatKeepsResponsesFromBeingSharedIsSaidOnceForEachHost(
            Reason reason, String header, String remedy) {
        SharingRules rules =
                new SharingRules(HttpCollapseOptions.forPaths("/user/*"), Side.CLIENT, time, "rest-template");
        try (Warnings said = new Warnings(SharingRules.class, Level.INFO)) {
            for (int i = 0; i < 100; i++) {
                FakeRequest request = get("http://ann:secret@host" + i % 2 + "/user/" + i + "?token=secret");
                assertThat(rules.shareable(request(rules.collapsible(request)), request, withHeader(reason)))
                        .isEqualTo(new ResponseDecision.ForLeaderOnly(reason));
            }
            assertThat(said.messages())
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line)
                            .startsWith("rest-template: a response of host")
                            .contains("group [/user/*]", header, remedy, "said once")
                            .doesNotContain("secret", "/user/1"))
                    .first()
                    .asString()
                    .contains("of host0 ");
        }
    }

    @Test
    void H33_aClientOfManyHostsDoesNotFillTheLogWithReasons() {
        SharingRules rules = rules(CollapsePolicy.strict());
        try (Warnings said = new Warnings(SharingRules.class, Level.INFO)) {
            for (int i = 0; i < 100; i++) {
                FakeRequest request = get("http://host" + i + "/p");
                ResponseDecision unused =
                        rules.shareable(request(rules.collapsible(request)), request, withHeader(Reason.SET_COOKIE));
            }
            assertThat(said.messages()).hasSize(20);
        }
    }

    @Test
    void H33_aStatusThatIsForOneRequestIsNoNews() {
        SharingRules rules = rules(CollapsePolicy.strict());
        try (Warnings said = new Warnings(SharingRules.class, Level.INFO)) {
            FakeRequest request = get("http://host/p");
            assertThat(rules.shareable(request(rules.collapsible(request)), request, FakeResponse.of(401)))
                    .isEqualTo(new ResponseDecision.ForLeaderOnly(Reason.STATUS));
            assertThat(said.messages()).isEmpty();
        }
    }
}

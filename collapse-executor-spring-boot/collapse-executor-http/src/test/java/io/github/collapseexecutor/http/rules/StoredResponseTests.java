package io.github.collapseexecutor.http.rules;

import static io.github.collapseexecutor.http.rules.Decided.head;
import static io.github.collapseexecutor.http.rules.Decided.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The form in which responses go to other instances: what comes back is what a follower would have got here. */
class StoredResponseTests {

    private static final long ASKED_AT = 1_000;

    private final SharingRules rules = TestRules.of(HttpCollapseOptions.builder()
            .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
            .build());

    private CollapsibleRequest arrived(FakeRequest request) {
        return request(rules.collapsible(request));
    }

    private ShareableHead headOf(FakeRequest request, FakeResponse response) {
        return head(rules.shareable(arrived(request), request, response));
    }

    private static Map<String, List<String>> headers(SharedResponse response) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        response.forEachHeader(SharedResponse.Receiver.FOLLOWER, headers::put);
        return headers;
    }

    @Test
    void statusHeadersAndBodyComeBack() throws Exception {
        byte[] body = new byte[100_000];
        new Random(7).nextBytes(body);
        ShareableHead head = headOf(
                FakeRequest.get("http://a/p"),
                FakeResponse.of(404)
                        .with("ETag", "\"gr\u00fc\u00df\"")
                        .with("X-Odd", "a")
                        .with("X-Odd", "")
                        .with("X-Odd", null));
        SharedResponse here = head.complete(body, null);
        SharedResponse there = StoredResponse.read(StoredResponse.bytesOf(head, body), ASKED_AT, null);
        assertThat(there.status()).isEqualTo(404);
        assertThat(there.reason()).isEqualTo(here.reason());
        assertThat(headers(there)).isEqualTo(headers(here));
        assertThat(there.body().readAllBytes()).isEqualTo(body);
        assertThat(there.attachment()).isNull();
    }

    @Test
    void H29_headersOfTheConnectionDoNotGoAlong() throws Exception {
        ShareableHead head = headOf(
                FakeRequest.get("http://a/p"),
                FakeResponse.of(200)
                        .with("Connection", "X-Hop")
                        .with("X-Hop", "1")
                        .with("Keep-Alive", "5")
                        .with("X-End", "2"));
        assertThat(headers(StoredResponse.read(StoredResponse.bytesOf(head, new byte[0]), ASKED_AT, null)))
                .isEqualTo(Map.of("X-End", List.of("2")));
    }

    @Test
    void H14_itAnswersRequestsWithTheValuesThatTheOriginChoseItBy() throws Exception {
        FakeRequest german = FakeRequest.get("http://a/p").with("Accept-Language", "de");
        ShareableHead head = headOf(german, FakeResponse.of(200).with("Vary", "Accept-Language, X-Absent"));
        SharedResponse there = StoredResponse.read(StoredResponse.bytesOf(head, new byte[0]), Long.MAX_VALUE, null);
        assertThat(there.mayAnswer(arrived(german))).isTrue();
        assertThat(there.mayAnswer(arrived(FakeRequest.get("http://a/p").with("Accept-Language", "fr"))))
                .isFalse();
        assertThat(there.mayAnswer(arrived(FakeRequest.get("http://a/p")))).isFalse();
        assertThat(there.mayAnswer(arrived(FakeRequest.get("http://a/p")
                        .with("Accept-Language", "de")
                        .with("X-Absent", ""))))
                .isFalse();
    }

    @Test
    void H30_itAnswersRequestsThatCanReadItsCoding() throws Exception {
        FakeRequest zipped = FakeRequest.get("http://a/p").with("Accept-Encoding", "gzip");
        ShareableHead head = headOf(zipped, FakeResponse.of(200).with("Content-Encoding", "gzip"));
        SharedResponse there = StoredResponse.read(StoredResponse.bytesOf(head, new byte[0]), Long.MAX_VALUE, null);
        assertThat(there.mayAnswer(arrived(zipped))).isTrue();
        assertThat(there.mayAnswer(arrived(FakeRequest.get("http://a/p").with("Accept-Encoding", "br"))))
                .isFalse();
    }

    @Test
    void H17_H19_aResponseForWaitingRequestsAnswersNoneThatCameAfterTheQuestion() throws Exception {
        FakeRequest asked = FakeRequest.get("http://a/p");
        ShareableHead head = headOf(asked, FakeResponse.of(429));
        byte[] stored = StoredResponse.bytesOf(head, new byte[0]);
        CollapsibleRequest request = arrived(asked);
        assertThat(StoredResponse.read(stored, request.arrivedAt(), null).mayAnswer(request))
                .isTrue();
        assertThat(StoredResponse.read(stored, request.arrivedAt() - 1, null).mayAnswer(request))
                .isFalse();
        byte[] forAll = StoredResponse.bytesOf(headOf(asked, FakeResponse.of(200)), new byte[0]);
        assertThat(StoredResponse.read(forAll, request.arrivedAt() - 1, null).mayAnswer(request))
                .isTrue();
    }

    @Test
    void H32_eachInstanceAddsItsOwnCacheStatus() throws Exception {
        ShareableHead head = headOf(FakeRequest.get("http://a/p"), FakeResponse.of(200));
        SharedResponse there = StoredResponse.read(
                StoredResponse.bytesOf(head, new byte[0]), ASKED_AT, "here; fwd=uri-miss; collapsed");
        assertThat(headers(there)).containsEntry("Cache-Status", List.of("here; fwd=uri-miss; collapsed"));
    }

    @Test
    void H18_strippedCookiesDoNotLeaveTheInstance() throws Exception {
        SharingRules stripping = TestRules.of(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(
                        CollapsePolicy.named("stripping").stripSetCookie(true).build(), "/**")))
                .build());
        FakeRequest request = FakeRequest.get("http://a/p");
        ShareableHead head = head(stripping.shareable(
                request(stripping.collapsible(request)),
                request,
                FakeResponse.of(200).with("Set-Cookie", "a=s3cret")));
        byte[] stored = StoredResponse.bytesOf(head, new byte[0]);
        assertThat(new String(stored, StandardCharsets.ISO_8859_1)).doesNotContain("s3cret");
    }

    @Test
    void bytesThatAreNoStoredResponseAreRefused() {
        byte[] stored = StoredResponse.bytesOf(
                headOf(FakeRequest.get("http://a/p"), FakeResponse.of(200).with("X-A", "b")), new byte[] {1, 2, 3});
        for (int length = 0; length < stored.length; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            assertThatIOException().isThrownBy(() -> StoredResponse.read(cut, ASKED_AT, null));
        }
        byte[] longer = Arrays.copyOf(stored, stored.length + 1);
        assertThatIOException().isThrownBy(() -> StoredResponse.read(longer, ASKED_AT, null));
        byte[] newer = stored.clone();
        newer[0] = 2;
        assertThatIOException()
                .isThrownBy(() -> StoredResponse.read(newer, ASKED_AT, null))
                .withMessageContaining("form 2");
    }

    @Test
    void brokenFormsFailInNoOtherWay() {
        byte[] stored = StoredResponse.bytesOf(
                headOf(FakeRequest.get("http://a/p"), FakeResponse.of(200).with("X-A", "b")), new byte[] {1, 2, 3});
        Random random = new Random(7);
        for (int i = 0; i < 5_000; i++) {
            byte[] broken = stored.clone();
            broken[random.nextInt(broken.length)] = (byte) random.nextInt();
            try {
                assertThat(StoredResponse.read(broken, ASKED_AT, null)).isNotNull();
            } catch (IOException | RuntimeException refused) {
                assertThat(refused).isNotNull(); // LeaderMachine sends the request itself after either
            }
        }
    }
}

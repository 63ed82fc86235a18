package io.github.collapseexecutor.http.rules;

import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HitForMissTests {

    private static final int CAPACITY = 4096;

    private final SharingRules rules = TestRules.of(HttpCollapseOptions.builder()
            .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
            .build());
    private final HitForMiss keys = new HitForMiss(Duration.ofMinutes(2), new ManualHttpTime());

    private RequestKey key(int number) {
        return request(rules.collapsible(get("http://a/" + number))).key();
    }

    @Test
    void H21_ofTooManyKeysThoseNotAskedForTheLongestAreForgotten() {
        for (int i = 0; i < CAPACITY; i++) {
            keys.rememberForHead(key(i));
        }
        assertThat(keys.contains(key(0))).isTrue();
        keys.rememberForHead(key(CAPACITY));
        assertThat(keys.contains(key(0))).isTrue();
        assertThat(keys.contains(key(1))).isFalse();
        assertThat(keys.contains(key(CAPACITY))).isTrue();
    }

    @Test
    void H21_aKeyThatIsNotRememberedIsNotForgottenEither() {
        keys.forget(key(1), true);
        keys.rememberForBody(key(1));
        keys.forget(key(2), true);
        keys.forget(key(1), false);
        assertThat(keys.contains(key(1))).isTrue();
        keys.forget(key(1), true);
        assertThat(keys.contains(key(1))).isFalse();
    }

    @Test
    void H33_noKeyIsKeptLongerThanItsRequest() {
        WeakReference<RequestKey> gone = rememberAndDrop();
        await().untilAsserted(() -> {
            System.gc();
            assertThat(gone.get()).isNull();
        });
        assertThat(keys.contains(key(1))).isTrue();
        assertThat(keys.contains(key(2))).isTrue();
    }

    private WeakReference<RequestKey> rememberAndDrop() {
        RequestKey key = key(1);
        keys.rememberForHead(key);
        keys.rememberForBody(key(2));
        return new WeakReference<>(key);
    }
}

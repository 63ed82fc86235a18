package io.github.collapseexecutor.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HttpFieldsTests {

    private static final HttpFields TWICE = HttpFields.copyOf(action -> {
        action.accept("Link", List.of("a", "b"));
        action.accept("ETag", List.of(""));
        action.accept("link", List.of("c"));
    });

    @Test
    void H29_aHeaderThatComesTwiceKeepsAllItsValuesInOrder() {
        assertThat(TWICE.values("link")).containsExactly("a", "b", "c");
        assertThat(TWICE.members("link")).containsExactly("a", "b", "c");
    }

    @Test
    void H29_anEmptyHeaderIsNotAnAbsentOne() {
        assertThat(TWICE.values("etag")).containsExactly("");
        assertThat(TWICE.values("vary")).isNull();
    }

    @Test
    void H32_aValueIsAppendedBehindTheOthers() {
        assertThat(TWICE.appending("LINK", "d").values("link")).containsExactly("a", "b", "c", "d");
        assertThat(TWICE.values("link")).containsExactly("a", "b", "c");
    }
}

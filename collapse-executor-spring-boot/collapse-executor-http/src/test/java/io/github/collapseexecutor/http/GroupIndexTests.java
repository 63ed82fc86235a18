package io.github.collapseexecutor.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.message.NormalizedPath;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupIndexTests {

    private static final List<String> HOSTS = List.of("//users.example", "//stock.example");

    private static CollapseRule group(String name, String... patterns) {
        return CollapseRule.of(CollapsePolicy.named(name).build(), patterns);
    }

    private static @Nullable String nameFor(List<CollapseRule> groups, String path) {
        CollapseRule rule = new GroupIndex(groups)
                .ruleFor(requireNonNull(NormalizedPath.of(path)), URI.create("http://users.example" + path));
        return rule == null ? null : rule.policy().name();
    }

    @ParameterizedTest
    @CsvSource({
        "/, root",
        "/user, user",
        "/user/, tree",
        "/user/7, one",
        "/user/new, one",
        "/user/7/orders, tree",
        "/user/admin/orders, tree",
        "/test/7/orders, regex",
        "/other/admin/orders, wild",
        "/other, ",
        "/other/7, ",
    })
    void theFirstGroupThatMatchesCounts(String path, @Nullable String name) {
        List<CollapseRule> groups = List.of(
                group("root", "/", "/none"),
                group("user", "/user"),
                group("one", "/none/*", "/user/*"),
                group("tree", "/user/**"),
                group("exact", "/user/new", "/user/admin/orders"),
                group("regex", "regex:/test/\\d+/orders"),
                group("wild", "/*/admin/orders"));
        assertThat(nameFor(groups, path)).isEqualTo(name);
    }

    @Test
    void itFindsWhatTryingOneAfterAnotherFinds() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            List<CollapseRule> groups = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String host = random.nextInt(3) == 0 ? "" : HOSTS.get(random.nextInt(2));
                groups.add(group("group" + i, host + text(random, "a", "b", "*", "**", "a?", "{name}")));
            }
            String path = text(random, "a", "b", "ab", "");
            NormalizedPath normalized = NormalizedPath.of(path);
            if (normalized != null) {
                String expected = groups.stream()
                        .filter(group -> group.patterns().get(0).matches(URI.create("http://users.example" + path)))
                        .map(group -> group.policy().name())
                        .findFirst()
                        .orElse(null);
                assertThat(nameFor(groups, path))
                        .as("seed %d, %s, %s", seed, groups, path)
                        .isEqualTo(expected);
                assertThat(new GroupIndex(groups).covers(normalized))
                        .as("seed %d, %s, %s on any host", seed, groups, path)
                        .isEqualTo(groups.stream()
                                .map(group -> group.patterns().get(0))
                                .anyMatch(pattern -> HOSTS.stream()
                                        .anyMatch(host -> pattern.matches(URI.create("http:" + host + path)))));
            }
        }
    }

    private static String text(Random random, String... segments) {
        StringBuilder text = new StringBuilder();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            text.append('/').append(segments[random.nextInt(segments.length)]);
        }
        return text.toString();
    }
}

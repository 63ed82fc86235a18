package io.github.collapseexecutor.foreign.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The parts of a set-up, drawn from its seed: the same with collapsing and without. It writes down what it has drawn. */
final class Draw {

    // immutable
    private final Random random;
    private final boolean collapses;

    // mutable, confined to one thread
    private final List<String> drawn = new ArrayList<>();

    Draw(long seed, boolean collapses) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.collapses = collapses;
    }

    boolean collapses() {
        return collapses;
    }

    boolean oneOf(int chances, String name) {
        boolean is = random.nextInt(chances) == 0;
        if (is) {
            drawn.add(name);
        }
        return is;
    }

    /** One thing of several. */
    <T> T pick(List<T> all) {
        T picked = all.get(random.nextInt(all.size()));
        drawn.add(picked.toString());
        return picked;
    }

    /** Up to two layers, in any order. */
    <B> List<Layer<B>> layers(String place, List<Layer<B>> all) {
        List<Layer<B>> picked = new ArrayList<>();
        int count = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            picked.add(all.get(random.nextInt(all.size())));
        }
        drawn.add(place + picked);
        return picked;
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    HttpCollapseOptions http() {
        HttpCollapseOptions.Builder http =
                HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")));
        if (oneOf(2, "forgets")) {
            http.passTtl(Duration.ZERO);
        }
        if (oneOf(3, "small limit")) {
            http.maxBodySize(5_000);
        }
        return http.build();
    }

    CollapseOptions core() {
        return CollapseOptions.builder()
                .joinMode(oneOf(2, "in flight") ? JoinMode.IN_FLIGHT : JoinMode.FRESH)
                .maxWaitRatio(0.9)
                .build();
    }

    @Override
    public String toString() {
        return drawn.toString();
    }
}

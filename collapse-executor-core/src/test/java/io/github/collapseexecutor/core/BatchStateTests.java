package io.github.collapseexecutor.core;

import static io.github.collapseexecutor.core.Batch.State.DISPATCHED;
import static io.github.collapseexecutor.core.Batch.State.DISSOLVED;
import static io.github.collapseexecutor.core.Batch.State.ENDED;
import static io.github.collapseexecutor.core.Batch.State.GATHERING;
import static io.github.collapseexecutor.core.Batch.State.IN_FLIGHT;
import static io.github.collapseexecutor.core.Batch.State.OVERTAKEN;
import static io.github.collapseexecutor.core.Batch.State.RELEASED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where a batch may go from where it stands; everywhere else an assertion stops it. */
class BatchStateTests {

    private static final Map<Batch.State, Set<Batch.State>> NEXT = new EnumMap<>(Map.of(
            GATHERING, EnumSet.of(RELEASED, ENDED, DISSOLVED),
            RELEASED, EnumSet.of(DISPATCHED, IN_FLIGHT, ENDED, DISSOLVED),
            DISPATCHED, EnumSet.of(IN_FLIGHT, ENDED, DISSOLVED),
            IN_FLIGHT, EnumSet.of(OVERTAKEN, ENDED),
            OVERTAKEN, EnumSet.of(ENDED),
            ENDED, EnumSet.noneOf(Batch.State.class),
            DISSOLVED, EnumSet.noneOf(Batch.State.class)));

    private static final Map<Batch.State, Consumer<Batch<String, String>>> STEPS = Map.of(
            RELEASED, batch -> batch.release(false),
            DISPATCHED, Batch::dispatch,
            IN_FLIGHT, batch -> batch.start(1),
            OVERTAKEN, Batch::overtake,
            ENDED, Batch::end,
            DISSOLVED, Batch::dissolve);

    /** A batch that has come to a state by way of as few others as there are. */
    private static Batch<String, String> batchIn(Batch.State state) {
        if (state == GATHERING) {
            ManualTime time = new ManualTime();
            StartRule rule = new StartRule(CollapseOptions.defaults(), true, false, Long.MAX_VALUE);
            Group<String, String> group =
                    new Group<>(new UserKey("group"), rule, null, new DeliveryTime(), batch -> {});
            return group.open(new BlockingCall<>("input", time), time.nanoTime());
        }
        Batch.State before = NEXT.entrySet().stream()
                .filter(entry -> entry.getValue().contains(state))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        Batch<String, String> batch = batchIn(before);
        STEPS.get(state).accept(batch);
        return batch;
    }

    @ParameterizedTest
    @EnumSource
    void aBatchGoesNowhereButWhereItMay(Batch.State state) {
        STEPS.forEach((next, step) -> {
            Batch<String, String> batch = batchIn(state);
            assertThat(batch.state()).isEqualTo(state);
            if (NEXT.get(state).contains(next)) {
                step.accept(batch);
                assertThat(batch.state()).isEqualTo(next);
            } else {
                assertThatThrownBy(() -> step.accept(batch))
                        .isInstanceOf(AssertionError.class)
                        .hasMessage(state + " -> " + next);
                assertThat(batch.state()).isEqualTo(state);
            }
        });
    }
}

package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseEngine.Joined;
import io.github.collapseexecutor.core.CollapseEngine.Runner;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a call that hangs costs while its group is called on and on. */
class HangingCallTests {

    private final EngineTime time = new ManualTime();

    private BlockingCall<String, String> start(CollapseEngine<String, String> engine, String input) {
        BlockingCall<String, String> call = new BlockingCall<>(input, time);
        assertThat(engine.submit("group", call)).isEqualTo(Joined.STARTED);
        return call;
    }

    @ParameterizedTest
    @EnumSource
    void itKeepsNoLaterCallInMemory(JoinMode mode) {
        CollapseEngine<String, String> engine = new CollapseEngine<>(
                CollapseOptions.builder()
                        .collectingWaitTime(Duration.ofNanos(-1))
                        .maxWaitRatio(0)
                        .joinMode(mode)
                        .build(),
                Runner.CALLER,
                true,
                time);
        BlockingCall<String, String> hanging = start(engine, "hanging");
        List<WeakReference<Object>> ended = new ArrayList<>();
        // There is always one more in flight, as under load.
        BlockingCall<String, String> latest = start(engine, "latest");
        for (int i = 0; i < 10; i++) {
            BlockingCall<String, String> next = start(engine, "next " + i);
            engine.end(latest.batch());
            ended.add(new WeakReference<>(latest));
            latest = next;
        }
        Eventually.until(() -> {
            System.gc();
            return ended.stream().allMatch(call -> call.get() == null);
        });
        engine.end(hanging.batch());
        engine.end(latest.batch());
        assertThat(engine.groupCount()).isZero();
    }
}

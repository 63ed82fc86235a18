package io.github.collapseexecutor.core;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseEngine.Runner;
import org.junit.jupiter.api.Test;

/** What a batch function is given when callers leave after the start, but before it asks: what the start found. */
class BatchInputsTests {

    private final EngineScheduler time = new ManualTime();
    private final CollapseEngine<String, String> engine = new CollapseEngine<>(
            CollapseOptions.builder()
                    .joinMode(JoinMode.IN_FLIGHT)
                    .maxConcurrentBatches(1)
                    .build(),
            Runner.ANY,
            true,
            time,
            batch -> {});
    private final BlockingCall<String, String> ahead = new BlockingCall<>("ahead", time);
    private final BlockingCall<String, String> leader = new BlockingCall<>("leader", time);
    private final BlockingCall<String, String> follower = new BlockingCall<>("follower", time);

    /** Starts a batch of the leader and the follower. */
    private Batch<String, String> start() {
        assertThat(engine.submit("group", ahead)).isEqualTo(SubmitResult.RELEASED);
        assertThat(engine.start(ahead.batch())).isTrue();
        assertThat(engine.submit("group", leader)).isEqualTo(SubmitResult.OPENED);
        assertThat(engine.submit("group", follower)).isEqualTo(SubmitResult.JOINED);
        assertThat(engine.end(ahead.batch())).containsExactly(leader.batch());
        assertThat(engine.release(leader.batch())).isSameAs(StartDelay.NONE);
        assertThat(engine.start(leader.batch())).isTrue();
        return leader.batch();
    }

    @Test
    void itIsNeverNothing() {
        Batch<String, String> batch = start();
        engine.leave(leader);
        engine.leave(follower);
        assertThat(batch.inputs().stream().map(Input::value).collect(toList())).containsExactly("leader", "follower");
        assertThat(batch.size()).isEqualTo(2);
    }

    @Test
    void aCallerThatSharesTheCallOfACallerThatHasLeftIsAnswered() {
        Batch<String, String> batch = start();
        BlockingCall<String, String> sharer = new BlockingCall<>("follower", time);
        assertThat(engine.submit("group", sharer)).isEqualTo(SubmitResult.JOINED);
        engine.leave(follower);
        batch.inputs();
        batch.bundles().forEach(bundle -> bundle.bindOutput(Backend.answer(bundle.getInput())));
        engine.end(batch);
        assertThat(sharer.output()).isEqualTo("answer to follower");
        assertThat(engine.groupCount()).isZero();
    }
}

package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseEngine.Runner;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A call in flight that its leader's interruption broke and that nobody makes again: who comes before it ends. */
class BrokenCallTests {

    private final EngineScheduler time = new ManualTime();
    private final CollapseEngine<String, String> engine = new CollapseEngine<>(
            CollapseOptions.builder()
                    .collectingWaitTime(Duration.ofNanos(-1))
                    .joinMode(JoinMode.IN_FLIGHT)
                    .build(),
            Runner.CALLER,
            false,
            time,
            batch -> {});
    private final BlockingCall<String, String> leader = new BlockingCall<>("leader", time);
    private final BlockingCall<String, String> heir = new BlockingCall<>("heir", time);
    private final BlockingCall<String, String> newcomer = new BlockingCall<>("newcomer", time);

    private void assertNewcomerCallsAnew() {
        assertThat(engine.submit("group", newcomer)).isEqualTo(SubmitResult.STARTED);
        assertThat(newcomer.batch()).isNotSameAs(leader.batch());
        engine.end(leader.batch());
        engine.end(newcomer.batch());
        assertThat(engine.groupCount()).isZero();
    }

    @Test
    void isNotJoinedIfNobodyElseWaitsForIt() {
        engine.submit("group", leader);
        assertThat(engine.handOver(leader.batch(), leader)).isFalse();
        assertNewcomerCallsAnew();
    }

    @Test
    void isNotJoinedIfItBrokeAgain() {
        engine.submit("group", leader);
        engine.submit("group", heir);
        assertThat(engine.handOver(leader.batch(), leader)).isTrue();
        assertThat(engine.handOver(leader.batch(), heir)).isFalse();
        assertNewcomerCallsAnew();
    }

    @Test
    void isNotJoinedIfTheCallerThatItWasHandedToLeaves() {
        engine.submit("group", leader);
        engine.submit("group", heir);
        assertThat(engine.handOver(leader.batch(), leader)).isTrue();
        assertThat(engine.leave(heir).orphan).isSameAs(leader.batch());
        assertNewcomerCallsAnew();
    }

    @Test
    void isMadeByItsHeirAlsoIfALaterCallHasOvertakenIt() {
        engine.submit("group", leader);
        engine.submit("group", heir);
        newcomer.askForFreshAnswer();
        assertThat(engine.submit("group", newcomer)).isEqualTo(SubmitResult.STARTED);
        engine.end(newcomer.batch());
        assertThat(leader.batch().state()).isEqualTo(Batch.State.OVERTAKEN);
        assertThat(engine.handOver(leader.batch(), leader)).isTrue();
        assertThat(engine.lead(leader.batch(), heir)).isSameAs(StartDelay.NONE);
        engine.end(leader.batch());
        assertThat(engine.groupCount()).isZero();
    }
}

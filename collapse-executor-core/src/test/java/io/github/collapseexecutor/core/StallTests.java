package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups whose places are all taken for long: the listener and a caller that is timed out are told. */
class StallTests {

    private final ManualTime time = new ManualTime();
    private final Backend backend = new Backend();
    private final List<GroupStall> stalls = new CopyOnWriteArrayList<>();
    private final CollapseOptions options = CollapseOptions.builder()
            .name("stalled")
            .maxConcurrentBatches(1)
            .listener(new CollapseListener() {
                @Override
                public void batchEnded(BatchSummary batch) {}

                @Override
                public void groupStalled(GroupStall stall) {
                    stalls.add(stall);
                }
            })
            .build();

    @ParameterizedTest
    @EnumSource
    void P17_aListenerIsToldOnceOfCallersThatHaveWaitedTenSecondsForAPlace(Kind kind) throws Exception {
        Kind.Subject subject = kind.subject(options, backend, time);
        List<Caller> callers = new ArrayList<>();
        callers.add(subject.submit("group/first"));
        Backend.Execution holding = backend.next();
        callers.add(subject.submit("group/second").awaitJoined());
        callers.add(subject.submit("group/third").awaitJoined());
        time.advance(Duration.ofSeconds(9));
        assertThat(stalls).isEmpty();
        time.advance(Duration.ofSeconds(1));
        Eventually.until(() -> stalls.size() == 1);
        time.advance(Duration.ofSeconds(30));
        GroupStall stall = stalls.get(0);
        assertThat(stall.executor()).isEqualTo("stalled");
        assertThat(stall.group()).isEqualTo("group");
        assertThat(stall.batchesInFlight()).isEqualTo(1);
        assertThat(stall.callersWaiting()).isEqualTo(2);
        assertThat(stall.stalledNanos()).isEqualTo(Duration.ofSeconds(10).toNanos());
        assertThat(stall.leaders()).containsExactly(holding.thread.getName());
        assertThat(stall.toString()).contains("10000 ms", "BatchHandle.nested");
        holding.succeed();
        backend.next().succeed();
        for (Caller caller : callers) {
            assertThat(caller.output()).startsWith("answer to group/");
        }
        assertThat(stalls).hasSize(1);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void nobodyIsToldOfAGroupInWhichBatchesStart(Kind kind) throws Exception {
        Kind.Subject subject = kind.subject(options, backend, time);
        List<Caller> callers = new ArrayList<>(List.of(subject.submit("first")));
        for (int i = 0; i < 4; i++) {
            Backend.Execution holding = backend.next();
            Caller waiting = subject.submit("caller " + i).awaitJoined();
            time.advance(Duration.ofSeconds(9));
            holding.succeed();
            callers.add(waiting);
        }
        backend.next().succeed();
        for (Caller caller : callers) {
            assertThat(caller.output()).startsWith("answer to");
        }
        assertThat(stalls).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aCallerThatIsTimedOutBehindTakenPlacesIsToldSo(Kind kind) throws Exception {
        Kind.Subject subject = kind.subject(options.toBuilder().listener(null).build(), backend, time);
        Caller first = subject.submit("first");
        Backend.Execution holding = backend.next();
        Caller second = subject.submit("second", CallOptions.defaults().timeout(Duration.ofSeconds(12)));
        second.awaitJoined();
        time.advance(Duration.ofSeconds(12));
        assertThat(second.failure())
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining(
                        "within timeout = 12000 ms. A group of \"stalled\" has had all its places taken for 12000 ms: "
                                + "1 batches in flight, 1 callers waiting.");
        holding.succeed();
        first.output();
    }
}

package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lincheck makes up what three threads do, and its model checker runs that in very many of the interleavings there are,
 * with a switch of threads possible at every access to shared memory, every lock and every wait. They must see what one
 * thread could have seen that did the same in some order that agrees with time. Nobody may wait for ever.
 *
 * <p>{@code lincheck.scenarios} and {@code lincheck.interleavings} say how many of each are tried; the profile {@code
 * proofs} tries very many more. They run apart from other tests, because the counters of the coverage agent would be taken
 * for shared memory.
 */
@Tag("lincheck")
public class LincheckTests {

    private static final int SCENARIOS = Integer.getInteger("lincheck.scenarios", 1);
    private static final int INTERLEAVINGS = Integer.getInteger("lincheck.interleavings", 15);

    private static final CollapseOptions UNLIMITED =
            CollapseOptions.builder().collectingWaitTime(Duration.ofNanos(-1)).build();
    static final CollapseOptions ONE_AT_A_TIME =
            UNLIMITED.toBuilder().maxConcurrentBatches(1).build();
    static final CollapseOptions ONE_BY_ONE =
            ONE_AT_A_TIME.toBuilder().maxBatchSize(1).build();
    static final CollapseOptions IN_FLIGHT =
            UNLIMITED.toBuilder().joinMode(JoinMode.IN_FLIGHT).build();
    private static final CollapseOptions ONE_IN_FLIGHT =
            IN_FLIGHT.toBuilder().maxConcurrentBatches(1).build();

    static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .threads(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(SCENARIOS)
                .invocationsPerIteration(INTERLEAVINGS);
    }

    /** Who yields before it starts. */
    public static final class OfDefaults extends CollapsedRegisters {

        /** Called by Lincheck. */
        public OfDefaults() {
            super(Kind.BLOCKING, CollapseOptions.defaults());
        }
    }

    /** Who waits for the end of another's call. */
    public static final class OfOneAtATime extends CollapsedRegisters {

        /** Called by Lincheck. */
        public OfOneAtATime() {
            super(Kind.BLOCKING, ONE_AT_A_TIME);
        }
    }

    /** Who waits in a queue of full batches. */
    public static final class OfOneByOne extends CollapsedRegisters {

        /** Called by Lincheck. */
        public OfOneByOne() {
            super(Kind.BLOCKING, ONE_BY_ONE);
        }
    }

    /** Who holds a future. */
    public static final class OfFutures extends CollapsedRegisters {

        /** Called by Lincheck. */
        public OfFutures() {
            super(Kind.FUTURE, ONE_AT_A_TIME);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OfDefaults.class, OfOneAtATime.class, OfOneByOne.class, OfFutures.class})
    void everyCallEndsWithItsOwnAnswerWhichIsNoOlderThanTheQuestion(Class<?> registers) {
        options()
                .actorsPerThread(2)
                .sequentialSpecification(CollapsedRegisters.Plain.class)
                .check(registers);
    }

    /** Who shares calls in flight, and so is given what was read before it asked. */
    public static final class OfCallsInFlight extends CollapsedRegisters {

        /** Called by Lincheck. */
        public OfCallsInFlight() {
            super(Kind.BLOCKING, IN_FLIGHT);
        }
    }

    /** Holds of the proof above, too: it sees an answer that is older than its question. */
    @Test
    void anAnswerOfACallInFlightMayBeOlderThanTheQuestion() throws Exception {
        Actor read = new Actor(CollapsedRegisters.class.getMethod("read", int.class), List.of(0));
        Actor write = new Actor(CollapsedRegisters.class.getMethod("write", int.class), List.of(0));
        ModelCheckingOptions options = options()
                .iterations(0)
                .addCustomScenario(
                        new ExecutionScenario(List.of(), List.of(List.of(read), List.of(write, read)), List.of(), null))
                .invocationsPerIteration(10_000)
                .minimizeFailedScenario(false)
                .sequentialSpecification(CollapsedRegisters.Plain.class);
        assertThatThrownBy(() -> options.check(OfCallsInFlight.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    /** Who shares calls in flight. */
    public static final class Sharing extends SharedAnswers {

        /** Called by Lincheck. */
        public Sharing() {
            super(IN_FLIGHT);
        }
    }

    /** Who shares the only call in flight, or waits for its end. */
    public static final class SharingOne extends SharedAnswers {

        /** Called by Lincheck. */
        public SharingOne() {
            super(ONE_IN_FLIGHT);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Sharing.class, SharingOne.class})
    void aCallerThatSharesACallInFlightIsGivenNoAnswerThatAnotherHadBeforeItAsked(Class<?> answers) {
        options()
                .actorsPerThread(2)
                .sequentialSpecification(SharedAnswers.Plain.class)
                .check(answers);
    }
}

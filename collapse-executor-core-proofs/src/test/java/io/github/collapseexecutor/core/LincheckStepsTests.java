package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lincheck goes through the single steps of the engine (arrive, go on, break off, leave) as {@link LincheckTests} does through whole calls: each
 * must be one moment, and what the model says. In a class of its own, so that both run at a time.
 */
@Tag("lincheck")
public class LincheckStepsTests {

    /** Steps of callers of whom one batch at a time is in flight. */
    public static final class StepsOneAtATime extends EngineSteps {

        /** Called by Lincheck. */
        public StepsOneAtATime() {
            super(LincheckTests.ONE_AT_A_TIME);
        }

        /** What they are to look like. */
        public static final class Model extends EngineModel {

            /** Called by Lincheck. */
            public Model() {
                super(LincheckTests.ONE_AT_A_TIME);
            }
        }
    }

    /** Steps of callers who stand in a queue of full batches. */
    public static final class StepsOneByOne extends EngineSteps {

        /** Called by Lincheck. */
        public StepsOneByOne() {
            super(LincheckTests.ONE_BY_ONE);
        }

        /** What they are to look like. */
        public static final class Model extends EngineModel {

            /** Called by Lincheck. */
            public Model() {
                super(LincheckTests.ONE_BY_ONE);
            }
        }
    }

    /** Steps of callers who share calls in flight. */
    public static final class StepsInFlight extends EngineSteps {

        /** Called by Lincheck. */
        public StepsInFlight() {
            super(LincheckTests.IN_FLIGHT);
        }

        /** What they are to look like. */
        public static final class Model extends EngineModel {

            /** Called by Lincheck. */
            public Model() {
                super(LincheckTests.IN_FLIGHT);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {StepsOneAtATime.class, StepsOneByOne.class, StepsInFlight.class})
    void everyStepOfTheEngineIsOneMomentAndWhatTheModelSays(Class<?> steps) {
        LincheckTests.options()
                .actorsPerThread(4)
                .sequentialSpecification(steps.getDeclaredClasses()[0])
                .check(steps);
    }

    /** Callers who stand where they meet already, which scenarios that are made up seldom bring about. */
    @ParameterizedTest
    @ValueSource(classes = {StepsOneAtATime.class, StepsOneByOne.class, StepsInFlight.class})
    void soIsEveryStepOfCallersThatMeet(Class<?> steps) throws Exception {
        ModelCheckingOptions options =
                LincheckTests.options().iterations(0).sequentialSpecification(steps.getDeclaredClasses()[0]);
        for (ExecutionScenario meeting : meetings()) {
            options.addCustomScenario(meeting);
        }
        options.check(steps);
    }

    private static List<ExecutionScenario> meetings() throws Exception {
        List<Actor> oneCallsAndTwoWait = List.of(arrive(1, 1), arrive(2, 2), arrive(3, 2));
        List<Actor> oneHasCalledForAnother = List.of(arrive(1, 1), arrive(2, 2), goOn(1));
        List<Actor> oneWasHandedACall = List.of(arrive(1, 1), arrive(2, 1), breakOff(1));
        return List.of(
                meeting(oneCallsAndTwoWait, List.of(goOn(1)), List.of(leave(2)), List.of(goOn(3))),
                meeting(
                        oneCallsAndTwoWait,
                        List.of(goOn(1)),
                        List.of(goOn(2), goOn(2)),
                        List.of(leave(3), arrive(3, 1))),
                meeting(oneCallsAndTwoWait, List.of(breakOff(1)), List.of(leave(2), arrive(2, 2)), List.of(leave(3))),
                meeting(oneHasCalledForAnother, List.of(arrive(1, 2)), List.of(goOn(2)), List.of(arrive(3, 2))),
                meeting(
                        oneHasCalledForAnother,
                        List.of(arrive(1, 2)),
                        List.of(leave(2)),
                        List.of(arrive(3, 2), goOn(3))),
                meeting(
                        oneWasHandedACall,
                        List.of(arrive(1, 1), goOn(1)),
                        List.of(goOn(2), breakOff(2)),
                        List.of(arrive(3, 1))),
                meeting(oneWasHandedACall, List.of(arrive(1, 1)), List.of(leave(2)), List.of(arrive(3, 1), goOn(3))));
    }

    /** What each of three does at once, after some have come and before all go on until they are answered. */
    private static ExecutionScenario meeting(
            List<Actor> before, List<Actor> first, List<Actor> second, List<Actor> third) throws Exception {
        List<Actor> after = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int thread = 1; thread <= 3; thread++) {
                after.add(goOn(thread));
            }
        }
        return new ExecutionScenario(before, List.of(first, second, third), after, null);
    }

    private static Actor arrive(int thread, int input) throws Exception {
        return new Actor(EngineSteps.class.getMethod("arrive", int.class, int.class), List.of(thread, input));
    }

    private static Actor goOn(int thread) throws Exception {
        return step("goOn", thread);
    }

    private static Actor leave(int thread) throws Exception {
        return step("leave", thread);
    }

    private static Actor breakOff(int thread) throws Exception {
        return step("breakOff", thread);
    }

    private static Actor step(String name, int thread) throws Exception {
        return new Actor(EngineSteps.class.getMethod(name, int.class), List.of(thread));
    }
}

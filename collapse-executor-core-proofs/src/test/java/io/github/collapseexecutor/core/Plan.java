package io.github.collapseexecutor.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/**
 * What runs have in common that differ only in their {@link Decisions}.
 *
 * @param overtakings how often at most a thread is overtaken that could go on, where every order is tried
 * @param answersByInput whether each input has an answer of its own, or all of a batch have the same
 * @param groups how many groups the callers call, one after another
 * @param questions how many different questions the callers ask; all but the first ones ask the last of them
 * @param leaves how many callers are interrupted or cancelled at most
 * @param failures how many executions fail at most
 * @param ticks how often at most some time passes for no reason
 * @param oddities how often at most something odd happens: a thread wakes for no reason, a batch function forgets an input,
 *     calls the executor again or takes no notice of its interruption, an executor refuses a task or runs it on the spot
 */
record Plan(
        int overtakings,
        Kind kind,
        String settings,
        CollapseOptions options,
        boolean answersByInput,
        int groups,
        int callers,
        int questions,
        int leaves,
        int failures,
        int ticks,
        int oddities) {

    /** How many calls a batch function makes at a time at most. */
    static final int CALLS_AT_A_TIME = 2;

    static final Duration TICK = Duration.ofMillis(10);
    private static final Duration MAX_WAIT = Duration.ofMillis(40);
    private static final Duration COLLECTING = Duration.ofMillis(5);
    private static final Duration TIMEOUT = Duration.ofMillis(15);

    /** Options that make the engine go different ways. */
    private enum Setting {
        DEFAULT,
        ONE_AT_A_TIME,
        PAIRS,
        COLLECTING,
        YIELDING,
        AT_ONCE,
        TIMED,
        IN_FLIGHT,
        ONE_OF_ALL_GROUPS;

        CollapseOptions options() {
            CollapseOptions.Builder options = someOptions();
            switch (this) {
                case DEFAULT -> options.maxWaitRatio(0.5);
                case ONE_AT_A_TIME -> options.maxConcurrentBatches(1);
                case PAIRS -> options.maxBatchSize(2).maxConcurrentBatches(1);
                case COLLECTING -> options.collectingWaitTime(Plan.COLLECTING).waitThreshold(2);
                case YIELDING -> options.collectingWaitTime(Duration.ZERO);
                case AT_ONCE -> options.maxWaitRatio(0);
                case TIMED -> options.callTimeout(TIMEOUT).maxConcurrentBatches(1);
                case IN_FLIGHT -> options.joinMode(JoinMode.IN_FLIGHT);
                case ONE_OF_ALL_GROUPS -> options.maxConcurrentBatchesTotal(1);
            }
            return options.build();
        }

        int groups() {
            return this == ONE_OF_ALL_GROUPS ? 2 : 1;
        }
    }

    private static CollapseOptions.Builder someOptions() {
        return CollapseOptions.builder().maxWait(MAX_WAIT).name("scheduled");
    }

    /** Plans small enough to be run in every order. */
    static List<Plan> small() {
        List<Plan> plans = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Setting setting : Setting.values()) {
                for (boolean answersByInput : new boolean[] {true, false}) {
                    Small small = new Small(kind, setting, answersByInput);
                    if (kind == Kind.BLOCKING) {
                        plans.add(small.plan(1, 2, 1, 0, 0));
                        plans.add(small.plan(0, 2, 0, 1, 1));
                        plans.add(small.plan(0, 3, 0, 0, 0));
                    } else if (setting == Setting.TIMED) {
                        plans.add(small.plan(0, 2, 0, 0, 0));
                    } else {
                        plans.add(small.plan(0, 2, 1, 0, 0));
                        plans.add(small.plan(0, 2, 0, 1, 1));
                    }
                }
            }
        }
        return plans;
    }

    /** Plans that take minutes to be run in every order. */
    static List<Plan> large() {
        List<Plan> plans = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Setting setting : Setting.values()) {
                for (boolean answersByInput : new boolean[] {true, false}) {
                    Small small = new Small(kind, setting, answersByInput);
                    if (kind == Kind.BLOCKING) {
                        plans.add(small.plan(2, 2, 1, 1, 0));
                        plans.add(small.plan(0, 3, 1, 0, 0));
                        plans.add(small.plan(0, 3, 0, 0, 1));
                    } else if (setting == Setting.TIMED) {
                        plans.add(small.plan(1, 2, 0, 0, 0));
                    } else {
                        plans.add(small.plan(1, 2, 1, 0, 0));
                        plans.add(small.plan(0, 2, 1, 1, 1));
                        plans.add(small.plan(0, 3, 0, 0, 0));
                    }
                }
            }
        }
        return plans;
    }

    private record Small(Kind kind, Setting setting, boolean answersByInput) {

        Plan plan(int overtakings, int callers, int leaves, int failures, int ticks) {
            return new Plan(
                    overtakings,
                    kind,
                    setting.name(),
                    setting.options(),
                    answersByInput,
                    setting.groups(),
                    callers,
                    callers - 1,
                    leaves,
                    failures,
                    ticks,
                    0);
        }
    }

    /** Any plan, as a seed will have it. */
    static Plan random(long seed) {
        Random random = new Random(seed);
        CollapseOptions.Builder options = someOptions();
        if (random.nextBoolean()) {
            options.maxBatchSize(1 + random.nextInt(3));
        }
        if (random.nextBoolean()) {
            options.maxConcurrentBatches(1 + random.nextInt(2));
        }
        if (random.nextInt(3) == 0) {
            options.maxConcurrentBatchesTotal(1 + random.nextInt(2));
        }
        if (random.nextInt(4) == 0) {
            options.callTimeout(TIMEOUT);
        }
        if (random.nextInt(3) == 0) {
            options.collectingWaitTime(random.nextBoolean() ? COLLECTING : Duration.ZERO)
                    .waitThreshold(random.nextInt(4));
        }
        options.joinMode(random.nextBoolean() ? JoinMode.FRESH : JoinMode.IN_FLIGHT);
        options.maxWaitRatio(random.nextInt(4) * 0.3);
        options.maxJoinAge(random.nextBoolean() ? MAX_WAIT : null);
        return new Plan(
                0,
                List.copyOf(EnumSet.allOf(Kind.class)).get(random.nextInt(3)),
                described(options.build()),
                options.build(),
                random.nextInt(3) > 0,
                1 + random.nextInt(2),
                2 + random.nextInt(3),
                1 + random.nextInt(3),
                random.nextInt(4),
                random.nextInt(3),
                random.nextInt(4),
                random.nextInt(4));
    }

    private static String described(CollapseOptions options) {
        return "maxBatchSize " + options.maxBatchSize() + ", maxConcurrentBatches " + options.maxConcurrentBatches()
                + ", maxConcurrentBatchesTotal " + options.maxConcurrentBatchesTotal() + ", callTimeout "
                + options.callTimeout() + ", collectingWaitTime " + options.collectingWaitTime()
                + ", waitThreshold " + options.waitThreshold() + ", " + options.joinMode() + ", maxJoinAge "
                + options.maxJoinAge() + ", maxWaitRatio "
                + options.maxWaitRatio();
    }

    /** The options of a run; every call that a plan may bring is admitted. */
    CollapseOptions options(CollapseListener listener) {
        return options.toBuilder()
                .maxPending(callers + CALLS_AT_A_TIME * oddities)
                .listener(listener)
                .build();
    }

    @Override
    public String toString() {
        return kind + " " + settings + (answersByInput ? " by input" : " by group") + ", " + groups + " groups, "
                + callers + " callers, "
                + questions + " questions, "
                + leaves + " leave, " + failures + " fail, " + ticks + " ticks, " + oddities + " odd, " + overtakings
                + " overtaken";
    }
}

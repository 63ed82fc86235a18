package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Keys and inputs whose own methods fail hit their own caller and nobody else. */
class UserKeyTests {

    /** A key with a hash of the test's choice and an {@code equals} that can be made to throw. */
    private static final class Key {

        private final int hash;
        private final String name;
        private volatile boolean hashFails;
        private volatile boolean equalsFails;

        Key(int hash, String name) {
            this.hash = hash;
            this.name = name;
        }

        @Override
        public int hashCode() {
            if (hashFails) {
                throw new IllegalStateException("hashCode of " + name);
            }
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            if (equalsFails) {
                throw new IllegalStateException("equals of " + name);
            }
            return other instanceof Key key && key.name.equals(name);
        }
    }

    private final BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch inside = new CountDownLatch(1);

    private Caller hold(Object key) throws InterruptedException {
        Caller holder = new Caller.OnThread(
                "holder",
                () -> executor.execute(key, () -> {
                    inside.countDown();
                    release.await();
                    return "held";
                }));
        inside.await();
        return holder;
    }

    @Test
    void aFailingHashCodeHitsItsOwnCaller() throws Exception {
        Caller holder = hold(new Key(1, "a"));
        Key bad = new Key(1, "b");
        bad.hashFails = true;
        assertThatThrownBy(() -> executor.execute(bad, () -> "never")).hasMessage("hashCode of b");
        release.countDown();
        assertThat(holder.output()).isEqualTo("held");
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void aFailingEqualsHitsItsOwnCaller() throws Exception {
        Caller holder = hold(new Key(1, "a"));
        Key bad = new Key(1, "b");
        bad.equalsFails = true;
        assertThatThrownBy(() -> executor.execute(bad, () -> "never")).hasMessage("equals of b");
        release.countDown();
        assertThat(holder.output()).isEqualTo("held");
        assertThat(executor.engine().groupCount()).isZero();
    }

    /** Keys of one hash, one of which fails whenever it is compared, from whichever side. */
    private static final class Colliding implements Comparable<Colliding> {

        private final int number;

        Colliding(int number) {
            this.number = number;
        }

        private void compare(Colliding other) {
            if (number != other.number && (number == 0 || other.number == 0)) {
                throw new IllegalStateException("compared with " + other.number);
            }
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            if (other instanceof Colliding colliding) {
                compare(colliding);
                return number == colliding.number;
            }
            return false;
        }

        @Override
        public int compareTo(Colliding other) {
            compare(other);
            return Integer.compare(number, other.number);
        }
    }

    @Test
    void P02_aGroupThatFailsWhenItIsComparedHurtsNoOther() throws Exception {
        Caller holder = hold(new Colliding(0));
        for (int i = 1; i < 50; i++) {
            assertThat(executor.<String>execute(new Colliding(i), () -> "answer"))
                    .isEqualTo("answer");
        }
        release.countDown();
        assertThat(holder.output()).isEqualTo("held");
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void P02_aKeyThatFailsWhenItIsComparedHurtsNoOther() {
        Queue<Runnable> queue = new ArrayDeque<>();
        FutureCollapseExecutor<Colliding, String> byKey = CollapseExecutors.asyncByKey(
                keys -> {
                    IdentityHashMap<Colliding, String> values = new IdentityHashMap<>();
                    keys.forEach(key -> values.put(key, "value of " + key.number));
                    return values;
                },
                MissingKeyPolicy.FAILURE,
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build(),
                queue::add);
        List<CompletableFuture<String>> callers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            callers.add(byKey.execute(new Colliding(i)));
        }
        queue.remove().run();
        for (int i = 0; i < 200; i++) {
            assertThat(callers.get(i)).isCompletedWithValue("value of " + i);
        }
    }

    @Test
    void aKeyWhoseEqualsBreaksOrWhoseHashChangesWhileItsGroupIsInUseIsStillForgotten() throws Exception {
        Key key = new Key(1, "a");
        // Colliding keys stand before and behind it, so that removing it has to pass others.
        for (int i = 0; i < 20; i++) {
            Key other = new Key(1, "other " + i);
            assertThat(executor.execute(
                            other,
                            () -> executor.execute(key, () -> {
                                key.equalsFails = true;
                                key.hashFails = true;
                                return "done";
                            })))
                    .isEqualTo("done");
            key.equalsFails = false;
            key.hashFails = false;
        }
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void aCallerThatFindsAGroupThatIsLeavingTheTableMakesANewOne() throws Exception {
        CountDownLatch found = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        Key present = new Key(1, "a");
        // Its equals is where a caller looks its group up: there it stays until the group that it found has gone.
        Object late = new Object() {
            @Override
            public int hashCode() {
                return 1;
            }

            @Override
            public boolean equals(Object other) {
                found.countDown();
                try {
                    gone.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return other == present;
            }
        };
        Caller holder = hold(present);
        Caller caller = new Caller.OnThread(
                "late",
                () -> executor.execute(late, () -> "groups " + executor.engine().groupCount()));
        found.await();
        release.countDown();
        assertThat(holder.output()).isEqualTo("held");
        assertThat(executor.engine().groupCount()).isZero();
        gone.countDown();
        assertThat(caller.output()).isEqualTo("groups 1");
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void twoResultTypesInOneGroupFailOnlyTheCallerThatExpectsTheOther() throws Exception {
        Caller first = hold("group");
        Caller.OnThread gathering = new Caller.OnThread("text", () -> executor.execute("group", () -> "text"));
        // Starts at once beside the first; two more have to gather behind them.
        assertThat(gathering.output()).isEqualTo("text");
        BlockingCallableGroupCollapseExecutor oneAtATime = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch holding = new CountDownLatch(1);
        Caller ahead = new Caller.OnThread(
                "ahead",
                () -> oneAtATime.execute("group", () -> {
                    holding.countDown();
                    go.await();
                    return "ahead";
                }));
        holding.await();
        Caller text = new Caller.OnThread("text", () -> oneAtATime.execute("group", () -> "text")).awaitJoined();
        Caller number = new Caller.OnThread("number", () -> {
                    Integer count = oneAtATime.execute("group", () -> 1);
                    return "count " + count;
                })
                .awaitJoined();
        go.countDown();
        assertThat(ahead.output()).isEqualTo("ahead");
        assertThat(text.output()).isEqualTo("text");
        assertThat(number.failure()).isInstanceOf(ClassCastException.class);
        release.countDown();
        first.output();
    }

    private static final class Grouping extends CollapseExecutorFutureSupport<String, String, String> {

        @Override
        protected CompletableFuture<String> doExecute(Collection<Input<String>> inputs) {
            return CompletableFuture.completedFuture("output");
        }

        @Override
        protected void bindingOutput(String output, List<Bundle<String, CompletableFuture<String>>> bundles) {
            bundles.forEach(bundle -> bundle.bindOutput(CompletableFuture.completedFuture(output)));
        }

        @Override
        protected Object groupOf(String input) {
            if (input.equals("bad")) {
                throw new IllegalStateException("grouping");
            }
            return input.equals("none") ? null : input;
        }
    }

    @Test
    void aFailingGroupingHitsItsOwnCaller() throws Exception {
        Grouping grouping = new Grouping();
        assertThatThrownBy(() -> grouping.execute("bad")).hasMessage("grouping");
        assertThatThrownBy(() -> grouping.execute("none"))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("groupOf returned null");
        assertThat(grouping.execute("good").get()).isEqualTo("output");
        assertThat(grouping.engine().groupCount()).isZero();
    }

    @Test
    void nullArgumentsAreRefusedByName() {
        assertThatThrownBy(() -> executor.execute(null, () -> 1))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("group");
        assertThatThrownBy(() -> executor.execute("group", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("callable");
        assertThatThrownBy(() -> new AsyncCallableGroupCollapseExecutor().setExecutor(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("executor");
        assertThat(executor.engine().groupCount()).isZero();
    }

    /** A key that is not equal to itself, and cannot be compared with others. */
    private static final class Unlike {

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            if (other == this) {
                return false;
            }
            throw new IllegalStateException("unlike");
        }
    }

    @Test
    void P02_aKeyThatIsNotEqualToItselfIsToBlameForItsFailure() {
        UserKey own = new UserKey(new Unlike());
        UserKey other = new UserKey(1);
        assertThatThrownBy(() -> own.equals(other)).hasMessage("unlike");
        assertThat(other.equals(own)).isFalse();
    }
}

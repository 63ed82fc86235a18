package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of groups keeps each group of each key, however the hashes of the keys collide. */
class GroupTableTests {

    private static final StartRule RULE = new StartRule(CollapseOptions.defaults(), false, false, Long.MAX_VALUE);

    private final GroupTable<Integer, Integer> table = new GroupTable<>();

    /** A key of which it is chosen with which others its hash collides. */
    private static class Key {

        private final int number;
        private final int hash;

        Key(int number, int hash) {
            this.number = number;
            this.hash = hash;
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && number == key.number;
        }
    }

    private static final class BrokenKey extends Key {

        private boolean broken;

        BrokenKey(int number, int hash) {
            super(number, hash);
        }

        @Override
        @SuppressWarnings("EqualsHashCode") // the hash of its superclass is right
        public boolean equals(Object other) {
            if (broken) {
                throw new IllegalStateException("broken equals");
            }
            return super.equals(other);
        }
    }

    private static Group<Integer, Integer> group(Object key) {
        return new Group<>(new UserKey(key), RULE, null, new DeliveryTime(), batch -> {});
    }

    /** The hash of a key that stands in one of the first slots, which are told apart by all bytes of the hash together. */
    private static int hash(int key, int slots, int hashesInSlot) {
        int other = key / slots % hashesInSlot;
        return key % slots | other << 8 | other << 16;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 40})
    void eachGroupIsFoundByItsKeyUntilItIsRemoved(int slots) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int hashesInSlot : new int[] {1, 2, 20}) {
            Map<Integer, Group<Integer, Integer>> expected = new LinkedHashMap<>();
            for (int step = 0; step < 20_000; step++) {
                int number = random.nextInt(40);
                Object key = new Key(number, hash(number, slots, hashesInSlot));
                String at = "seed " + seed + ", step " + step;
                Group<Integer, Integer> present = expected.get(number);
                assertThat(table.find(new UserKey(key))).as(at).isSameAs(present);
                if (random.nextInt(40) < expected.size()) {
                    if (present != null) {
                        table.remove(present);
                        expected.remove(number);
                    }
                } else {
                    Group<Integer, Integer> created = group(key);
                    assertThat(table.addIfAbsent(created)).as(at).isSameAs(present);
                    expected.putIfAbsent(number, created);
                }
                if (step % 100 == 0) {
                    assertThat(table.all()).as(at).containsExactlyInAnyOrderElementsOf(expected.values());
                    assertThat(table.isEmpty()).as(at).isEqualTo(expected.isEmpty());
                }
            }
            expected.values().forEach(table::remove);
            assertThat(table.isEmpty()).isTrue();
        }
    }

    @Test
    void groupIsRemovedOnceAndAnotherOfItsKeyStays() {
        Group<Integer, Integer> gone = group("key");
        table.addIfAbsent(gone);
        table.remove(gone);
        Group<Integer, Integer> next = group("key");
        table.addIfAbsent(next);
        table.remove(gone);
        assertThat(table.find(new UserKey("key"))).isSameAs(next);
    }

    /** As keys of a map that threw while the map grew would. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 30})
    void keyWhoseEqualsThrowsHarmsNoOtherAndIsRemoved(int groups) {
        List<Group<Integer, Integer>> added = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            BrokenKey key = new BrokenKey(i, 0);
            Group<Integer, Integer> created = group(key);
            assertThat(table.addIfAbsent(created)).isNull();
            key.broken = true;
            added.add(created);
        }
        Group<Integer, Integer> sound = group(new Key(-1, 0));
        assertThat(table.addIfAbsent(sound)).isNull();
        assertThat(table.find(sound.key)).isSameAs(sound);
        added.forEach(table::remove);
        assertThat(table.all()).containsExactly(sound);
    }

    @Test
    void groupThatEndedWithItsLoneCallIsGoneForACallerThatFoundItBefore() {
        Group<Integer, Integer> found = group("key");
        assertThat(found.isUnmet()).isTrue();
        assertThat(found.retireUnmet()).isTrue();
        found.lock();
        try {
            assertThat(found.isGone()).isTrue();
            assertThat(found.retireIfIdle()).isTrue();
        } finally {
            found.unlock();
        }
    }

    @Test
    void groupThatAnotherCallerHasMetDoesNotEndWithItsLoneCall() {
        Group<Integer, Integer> met = group("key");
        met.lock();
        met.unlock();
        assertThat(met.isUnmet()).isFalse();
        assertThat(met.retireUnmet()).isFalse();
        assertThat(met.isGone()).isFalse();
    }

    /** A thread that adds the group of a key is alone with it until it removes it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 30})
    void keyHasOneGroupAtATime(int keys) throws Exception {
        AtomicIntegerArray groups = new AtomicIntegerArray(keys);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> most = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(thread);
                most.add(threads.submit(() -> {
                    int seen = 0;
                    for (int step = 0; step < 30_000; step++) {
                        int number = random.nextInt(keys);
                        Group<Integer, Integer> created = group(new Key(number, hash(number, 1, 4)));
                        if (table.addIfAbsent(created) == null) {
                            seen = Math.max(seen, groups.incrementAndGet(number));
                            groups.decrementAndGet(number);
                            table.remove(created);
                        }
                    }
                    return seen;
                }));
            }
            for (Future<Integer> each : most) {
                assertThat(each.get()).as("0 if others were always first").isLessThanOrEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(table.isEmpty()).isTrue();
    }
}

package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Groups that stand in one slot of the table come and go without losing one another. */
final class SlotsOfGroups {

    private SlotsOfGroups() {}

    /** A table, all of whose groups stand in one slot. */
    private static final class OneSlot {

        private static final StartRule RULE = new StartRule(CollapseOptions.defaults(), false, false, Long.MAX_VALUE);

        private final GroupTable<Integer, Integer> table = new GroupTable<>();

        private static Group<Integer, Integer> group(String name) {
            return new Group<>(new UserKey(new Key(name)), RULE, null, new DeliveryTime(), batch -> {});
        }

        private Group<Integer, Integer> add(String name) {
            return add(group(name));
        }

        private Group<Integer, Integer> add(Group<Integer, Integer> created) {
            Group<Integer, Integer> before = table.addIfAbsent(created);
            return before == null ? created : before;
        }

        private List<Group<Integer, Integer>> fill(int groups) {
            List<Group<Integer, Integer>> added = new ArrayList<>();
            for (int i = 0; i < groups; i++) {
                added.add(add("before " + i));
            }
            return added;
        }

        private @Nullable Group<Integer, Integer> find(String name) {
            return table.find(new UserKey(new Key(name)));
        }

        private String rest(Group<Integer, Integer> stays, String name) {
            return find(name) == stays ? table.all().size() + " left" : "lost";
        }
    }

    /** A key that stands in the same slot as every other; its hash is equal to that of one in two. */
    private static final class Key {

        private final String name;

        Key(String name) {
            this.name = name;
        }

        @Override
        public int hashCode() {
            return (name.length() & 1) << 8 | (name.length() & 1); // 0 and 0x101, which the table folds to 0
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && name.equals(key.name);
        }
    }

    /** One comes while the other goes. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "beside it, 1 left", expect = ACCEPTABLE, desc = "It came while the other was there.")
    @Outcome(id = "after it, 1 left", expect = ACCEPTABLE, desc = "It came when the other had gone.")
    @State
    public static class ComingAndGoing {

        private final OneSlot slot = new OneSlot();
        private final Group<Integer, Integer> goes = slot.add("goes");
        private Group<Integer, Integer> comes;
        private String place;

        @Actor
        public void go() {
            slot.table.remove(goes);
        }

        @Actor
        public void come() {
            place = slot.find("goes") == null ? "after it" : "beside it";
            comes = slot.add("comes");
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r1 = place;
            r.r2 = slot.rest(comes, "comes");
        }
    }

    /** One goes while the one comes by which the slot holds too many for an array. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "beside it, 8 left", expect = ACCEPTABLE, desc = "It came while the other was there.")
    @Outcome(id = "after it, 8 left", expect = ACCEPTABLE, desc = "It came when the other had gone.")
    @State
    public static class Growing {

        private final OneSlot slot = new OneSlot();
        private final Group<Integer, Integer> goes = slot.fill(8).get(3);
        private Group<Integer, Integer> comes;
        private String place;

        @Actor
        public void go() {
            slot.table.remove(goes);
        }

        @Actor
        public void come() {
            place = slot.find("before 3") == null ? "after it" : "beside it";
            comes = slot.add("comes");
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r1 = place;
            r.r2 = slot.find("before 3") == null ? slot.rest(comes, "comes") : "it came back";
        }
    }

    /** Two callers bring one key, while a slot that is full grows. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "the first's, 9 left", expect = ACCEPTABLE, desc = "The second found the first's.")
    @Outcome(id = "the second's, 9 left", expect = ACCEPTABLE, desc = "The first found the second's.")
    @State
    public static class EqualKeys {

        private final OneSlot slot = new OneSlot();
        private final Group<Integer, Integer> ofFirst = OneSlot.group("comes");
        private Group<Integer, Integer> first;
        private Group<Integer, Integer> second;

        public EqualKeys() {
            slot.fill(8);
        }

        @Actor
        public void comeFirst() {
            first = slot.add(ofFirst);
        }

        @Actor
        public void comeSecond() {
            second = slot.add("comes");
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r1 = first != second ? "two groups" : first == ofFirst ? "the first's" : "the second's";
            r.r2 = slot.rest(first, "comes");
        }
    }
}

package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What goes on next where several things could: all that tells one run of a {@link Plan} from another. */
interface Decisions {

    /** Whether a thread that could go on may be overtaken here. */
    boolean mayOvertake();

    /**
     * Chooses one of several options.
     *
     * @param overtaking whether all but the first overtake a thread that could go on
     */
    int choose(int options, boolean overtaking);

    /** What was decided, such that it can be repeated. */
    @Override
    String toString();

    /** Chance, as a seed gives it. */
    static Decisions random(long seed) {
        return new OfSeed(seed);
    }

    /** Chance, with few or many switches between threads, as the seed will have it. */
    final class OfSeed implements Decisions {

        private final long seed;
        private final Random random;
        private final double overtakingRate;

        private OfSeed(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.overtakingRate = random.nextInt(4) / 5.0;
        }

        @Override
        public boolean mayOvertake() {
            return random.nextDouble() < overtakingRate;
        }

        @Override
        public int choose(int options, boolean overtaking) {
            return random.nextInt(options);
        }

        @Override
        public String toString() {
            return "seed " + seed;
        }
    }

    /**
     * Every run there is, one after another, in which threads are overtaken a bounded number of times; where a thread waits
     * or ends, every order is tried.
     *
     * <p>A run is the path of its decisions. The next one repeats it up to the last decision that has an option left.
     */
    final class Enumeration implements Decisions {

        // immutable
        private final int overtakings;

        // mutable, confined to the thread whose turn it is
        private final List<Integer> chosen = new ArrayList<>();
        private final List<Integer> optionsOf = new ArrayList<>();
        private int depth;
        private int overtaken;

        Enumeration(int overtakings) {
            this.overtakings = overtakings;
        }

        /** The one run whose decisions these are. */
        static Enumeration at(int overtakings, List<Integer> path) {
            Enumeration enumeration = new Enumeration(overtakings);
            for (int choice : path) {
                enumeration.chosen.add(choice);
                enumeration.optionsOf.add(null);
            }
            return enumeration;
        }

        /** Goes on to the next run; false if there is none. */
        boolean advance() {
            int last = chosen.size() - 1;
            while (last >= 0 && chosen.get(last) + 1 == optionsOf.get(last)) {
                chosen.remove(last);
                optionsOf.remove(last);
                last--;
            }
            if (last < 0) {
                return false;
            }
            chosen.set(last, chosen.get(last) + 1);
            depth = 0;
            overtaken = 0;
            return true;
        }

        @Override
        public boolean mayOvertake() {
            return overtaken < overtakings;
        }

        @Override
        public int choose(int options, boolean overtaking) {
            if (depth == chosen.size()) {
                chosen.add(0);
                optionsOf.add(options);
            } else if (optionsOf.get(depth) == null) {
                optionsOf.set(depth, options);
            } else if (optionsOf.get(depth) != options) {
                throw new IllegalStateException("the same decisions do not lead to the same run: " + this);
            }
            int choice = chosen.get(depth);
            depth++;
            if (overtaking && choice != 0) {
                overtaken++;
            }
            return choice;
        }

        @Override
        public String toString() {
            StringBuilder path = new StringBuilder("path");
            for (int choice : chosen.subList(0, depth)) {
                path.append(' ').append(choice);
            }
            return path.toString();
        }
    }
}

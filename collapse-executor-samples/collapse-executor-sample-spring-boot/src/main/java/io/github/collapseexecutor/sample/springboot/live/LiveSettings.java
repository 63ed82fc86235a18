package io.github.collapseexecutor.sample.springboot.live;

/**
 * What a visitor of the page has chosen.
 *
 * @param mode what collapsing does
 * @param callers how many ask at a time, on each side
 * @param users for how many users they ask: 1 to this number
 * @param backendMillis how long the backend takes for a call, in milliseconds
 */
record LiveSettings(LiveMode mode, int callers, int users, int backendMillis) {

    static final LiveSettings FIRST = new LiveSettings(LiveMode.FRESH, 100, 2, 50);

    LiveSettings {
        if (mode == null) { // what JSON does not name is null
            throw new IllegalArgumentException("mode is missing: name off, fresh, in-flight or dry-run");
        }
        check("callers", callers, 1, 200);
        check("users", users, 1, 50);
        check("backendMillis", backendMillis, 0, 300);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + ": choose a number from " + least + " to " + most);
        }
    }
}

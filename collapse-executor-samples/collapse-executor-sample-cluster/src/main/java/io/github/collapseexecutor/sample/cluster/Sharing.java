package io.github.collapseexecutor.sample.cluster;

/** Which callers share a call. */
enum Sharing {
    /** Every caller makes its own. */
    NONE("without"),
    /** Those of one instance share. */
    INSTANCE("in each instance"),
    /** Those of all instances share. */
    CLUSTER("across instances");

    // immutable
    private final String words;

    Sharing(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}

package io.github.collapseexecutor.sample.advanced.readme;

/** What the examples fetch. */
record User(long id, String name) {

    static final User UNKNOWN = new User(0, "unknown");
}

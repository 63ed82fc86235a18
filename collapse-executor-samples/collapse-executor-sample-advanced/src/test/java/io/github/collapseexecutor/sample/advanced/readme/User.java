package io.github.collapseexecutor.sample.advanced.readme;

/** What the examples fetch. */
record User(long id, String name) {}

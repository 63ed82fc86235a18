package io.github.collapseexecutor.sample.springboot.live;

/**
 * What the backend answers.
 *
 * @param name the user's name
 */
record LiveUser(String name) {

    /** Made up from the number, so that every caller can tell whether its answer is right. */
    static LiveUser of(long id) {
        return new LiveUser("user " + id);
    }
}

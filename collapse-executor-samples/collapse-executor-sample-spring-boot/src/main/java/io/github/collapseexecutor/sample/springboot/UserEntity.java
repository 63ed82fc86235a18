package io.github.collapseexecutor.sample.springboot;

/**
 * A user.
 *
 * @param id the user's number
 * @param name the user's name
 */
public record UserEntity(long id, String name) {

    /** The users of the sample are made up from their numbers, so that a caller that is given one can tell whether it is right. */
    static UserEntity of(long id) {
        return new UserEntity(id, "user " + id);
    }
}

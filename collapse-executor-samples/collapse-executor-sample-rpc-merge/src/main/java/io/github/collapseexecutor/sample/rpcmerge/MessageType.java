package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

/**
 * A kind of request that a server answers.
 *
 * @param number names the type in a frame: 0 to 65535
 * @param name names it in messages for people
 * @param request the codec of what is asked
 * @param reply the codec of what is answered
 * @param <Q> what is asked
 * @param <R> what is answered
 */
public record MessageType<Q, R>(int number, String name, Codec<Q> request, Codec<R> reply) {

    /**
     * Creates a type.
     *
     * @throws IllegalArgumentException if the number is out of range
     */
    public MessageType {
        if (number < 0 || number > 0xFFFF) {
            throw new IllegalArgumentException(
                    "number of message type " + name + " is " + number + ": it must be from 0 to 65535");
        }
        requireNonNull(name, "name");
        requireNonNull(request, "request");
        requireNonNull(reply, "reply");
    }

    @Override
    public String toString() {
        return name + " (" + number + ")";
    }
}

package io.github.collapseexecutor.foreign.client;

import java.util.function.Consumer;

/**
 * Something that a library adds to a client.
 *
 * @param name of what it is
 * @param add adds it to the builder of a client
 */
record Layer<B>(String name, Consumer<B> add) {

    @Override
    public String toString() {
        return name;
    }
}

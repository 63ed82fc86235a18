package io.github.collapseexecutor.foreign.client;

import java.net.URI;

/** A client with all that stands around it; for any number of threads. */
interface Asker extends AutoCloseable {

    /** Asks, on the calling thread, and tells the reply. */
    void ask(URI uri, Reply reply) throws Exception;

    /** How many connections calls hold; 0 where the client does not tell. */
    default int connectionsInUse() {
        return 0;
    }

    @Override
    default void close() {}
}

package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.net.URI;
import java.util.concurrent.Future;

/** A client, collapsing or not. */
@FunctionalInterface
interface LabAsking {

    /** How a client that blocks makes a call. */
    @FunctionalInterface
    interface Blocking {

        /** Tells the reply what comes, and throws what the client throws. */
        void ask(URI uri, LabCall call, ClientReply reply) throws Exception;
    }

    /**
     * Begins a call.
     *
     * @param arrives is run when the library has the request, or is about to get it
     * @return what comes of it, whose cancellation is what the library has for a caller that leaves
     */
    Future<RawReply> ask(URI uri, LabCall call, Runnable arrives);
}

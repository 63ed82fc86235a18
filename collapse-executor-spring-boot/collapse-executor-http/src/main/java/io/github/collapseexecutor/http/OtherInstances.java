package io.github.collapseexecutor.http;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The other instances of the application, which share responses with this one; made by {@code ClusterCalls.http}. Not to be implemented
 * by you.
 *
 * <pre>{@code
 * HttpCollapseOptions options = HttpCollapseOptions.builder()
 *         .rules(rules)
 *         .otherInstances(cluster.http("orders"))
 *         .build();
 * }</pre>
 *
 * <p>The leader of a batch asks before it sends. It is told to send, or it gets a response that another instance stored. Nothing here fails, and
 * every wait has an end. Instances are thread-safe.
 */
public interface OtherInstances {

    /**
     * Asks for the response to a request.
     *
     * @param key what the requests of all instances have in common that may share a response
     * @return the question, which waits for its answer
     */
    Question ask(String key);

    /** A question of one batch. */
    interface Question {

        /** {@return what the batch is to do; always the same future, which does not fail, and completes on a thread that may run callers' code} */
        CompletableFuture<Answer> answer();

        /** Withdraws the question; if the answer was to send, another instance is told to. */
        void leave();
    }

    /** What a batch is to do. */
    sealed interface Answer permits Send, Take {}

    /**
     * Send the request.
     *
     * @param duty what the instance owes others; null if it sends for itself alone
     */
    record Send(@Nullable Duty duty) implements Answer {}

    /** Take the response of another instance. */
    final class Take implements Answer {

        // immutable
        private final byte[] response;
        private final Runnable unreadable;

        /**
         * Creates the answer.
         *
         * @param response the stored form; kept, not copied
         * @param unreadable to be run if the form cannot be read, upon which the request is sent
         */
        public Take(byte[] response, Runnable unreadable) {
            this.response = requireNonNull(response, "response");
            this.unreadable = requireNonNull(unreadable, "unreadable");
        }

        /** {@return the stored form, the bytes themselves} */
        public byte[] response() {
            return response;
        }

        /** {@return what is to be run if the stored form cannot be read} */
        public Runnable unreadable() {
            return unreadable;
        }
    }

    /** What an instance owes others that sends for them. Each method but the first two ends it; later ones have no effect. */
    interface Duty {

        /** {@return whether another instance may wait for the response; false if nobody can} */
        boolean isAwaited();

        /** {@return how large the stored form of a response may be, in bytes} */
        int limit();

        /**
         * Hands the response to the others.
         *
         * @param response its stored form
         */
        void share(byte[] response);

        /** Tells the others that they have to send their own requests. */
        void refuse();

        /** Tells the others that the call has failed: they send their own requests. */
        void fail();

        /** Says that the call has ended, and that nobody waits for it. */
        void end();

        /** Leaves the call to another instance. */
        void giveUp();
    }
}

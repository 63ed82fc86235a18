package io.github.collapseexecutor.http;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One request and its way to an answer. It is gathered with requests of an equal key. A follower that was not answered, but
 * may be answered together with others of its batch, is gathered with these anew: once after a failure of the leader, once
 * after a response chosen by a header. Whoever is without an answer then is sent alone. However it goes, the exchange is
 * sent once at most.
 */
final class BlockingCaller<RESPONSE> {

    /** What all followers of a failed batch have in common: that they may share one more call. */
    private static final Object NOTHING_MORE = new Object();

    // immutable
    private final SharingRules rules;
    private final CollapsibleRequest request;
    private final BlockingExchange<RESPONSE> exchange;

    // mutable, confined to the calling thread
    private boolean led;
    private @Nullable RESPONSE own;
    private boolean reelected;
    private boolean regrouped;

    BlockingCaller(SharingRules rules, CollapsibleRequest request, BlockingExchange<RESPONSE> exchange) {
        this.rules = rules;
        this.request = request;
        this.exchange = exchange;
    }

    /**
     * What a batch leaves behind for its followers, the same object for all of them: a response, a failure, or neither
     * where each has to go alone.
     */
    private static final class Outcome {

        static final Outcome ALONE = new Outcome(null, null);

        // immutable
        final @Nullable SharedResponse response;
        final @Nullable Exception failure;

        // mutable, thread-safe
        /** What came of the calls that followers made later, by what these have in common. */
        final ConcurrentMap<Object, Outcome> later = new ConcurrentHashMap<>();

        Outcome(@Nullable SharedResponse response, @Nullable Exception failure) {
            this.response = response;
            this.failure = failure;
        }
    }

    /**
     * A later group: the followers that one outcome left without an answer, and whom one call may answer. They arrive when
     * they wake; who comes after that call has ended finds what came of it in the outcome.
     */
    private record Regroup(Outcome origin, Object common) {

        @Nullable Outcome known() {
            return origin.later.get(common);
        }

        void remember(Outcome outcome) {
            origin.later.put(common, outcome);
        }

        /** Shows nothing of the request or the response. */
        @Override
        public String toString() {
            return "Regroup@" + Integer.toHexString(hashCode());
        }
    }

    /** Takes the outcome of a call that failed to its followers; none of them, nor the leader, lets it out. */
    private static final class FailedCall extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Outcome outcome;

        FailedCall(Outcome outcome, Exception failure) {
            super("The call that was to answer several requests failed", failure, false, false);
            this.outcome = outcome;
        }
    }

    RESPONSE call(BlockingCallableGroupCollapseExecutor first, BlockingCallableGroupCollapseExecutor regrouping)
            throws IOException {
        Outcome outcome = gather(first, request.key(), null);
        while (true) {
            if (own != null) {
                return own;
            }
            SharedResponse response = outcome.response;
            Object common;
            if (outcome.failure != null) {
                common = afterFailure(outcome.failure);
            } else if (response == null) {
                common = null;
            } else if (!response.mayAnswer(request)) {
                common = afterMismatch(response);
            } else if (response.isErrorResponse() && next(rules.onErrorResponse()) != LeaderFailure.SHARE) {
                common = afterErrorResponse();
            } else {
                return exchange.answer(response, SharedResponse.Receiver.FOLLOWER);
            }
            if (common == null) {
                return exchange.send();
            }
            Regroup regroup = new Regroup(outcome, common);
            outcome = gather(regrouping, regroup, regroup);
        }
    }

    private @Nullable Object afterFailure(Exception failure) throws IOException {
        LeaderFailure choice = choiceAfter(failure);
        if (choice == LeaderFailure.FAN_OUT) {
            return null;
        }
        if (choice == LeaderFailure.SHARE) {
            throw asThrown(failure);
        }
        reelected = true;
        return NOTHING_MORE;
    }

    private LeaderFailure choiceAfter(Exception failure) {
        return next(failure instanceof IOException ? rules.onTransportFailure() : rules.onErrorResponse());
    }

    /** The failure to be thrown by those who may throw no other checked exception. */
    private static IOException asThrown(Exception failure) {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        return (IOException) failure;
    }

    private @Nullable Object afterErrorResponse() {
        if (next(rules.onErrorResponse()) == LeaderFailure.FAN_OUT) {
            return null;
        }
        reelected = true;
        return NOTHING_MORE;
    }

    /** A re-election happens once; what comes of it is shared. */
    private LeaderFailure next(LeaderFailure configured) {
        return configured == LeaderFailure.RE_ELECT && reelected ? LeaderFailure.SHARE : configured;
    }

    private @Nullable Object afterMismatch(SharedResponse response) {
        if (regrouped) {
            return null;
        }
        regrouped = true;
        return response.regroupBy(request);
    }

    private Outcome gather(BlockingCallableGroupCollapseExecutor executor, Object group, @Nullable Regroup regroup)
            throws IOException {
        boolean gathered = false;
        try {
            Outcome outcome = executor.execute(group, () -> lead(regroup));
            gathered = true;
            return outcome;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interruption =
                    new InterruptedIOException("Interrupted while waiting for the answer of a collapsed request");
            interruption.initCause(e);
            throw interruption;
        } catch (TimeoutException e) {
            SocketTimeoutException timeout =
                    new SocketTimeoutException("No answer to a collapsed request within callTimeout");
            timeout.initCause(e);
            throw timeout;
        } catch (RejectedExecutionException e) {
            throw e;
        } catch (FailedCall failed) {
            if (led) {
                throw asThrown(requireNonNull(failed.outcome.failure));
            }
            return failed.outcome;
        } catch (IOException | RuntimeException failure) {
            if (led) {
                throw failure;
            }
            return new Outcome(null, failure);
        } catch (Exception e) {
            // nothing else is thrown by lead() or declared by the executor
            throw new IOException("A collapsed request failed in an unforeseen way", e);
        } finally {
            if (!gathered) {
                abandonOwn();
            }
        }
    }

    private Outcome lead(@Nullable Regroup regroup) throws IOException, FailedCall {
        Outcome known = regroup == null ? null : regroup.known();
        if (known != null) {
            return known;
        }
        led = true;
        try {
            Outcome outcome = sendAndShare();
            if (regroup != null) {
                regroup.remember(outcome);
            }
            return outcome;
        } catch (IOException | RuntimeException failure) {
            if (cameOfInterruption(failure)) {
                throw failure; // the core has a follower make this very call again
            }
            Outcome failed = new Outcome(null, failure);
            if (regroup != null) {
                regroup.remember(failed);
            }
            if (choiceAfter(failure) == LeaderFailure.RE_ELECT) {
                throw new FailedCall(failed, failure);
            }
            throw failure;
        }
    }

    private static boolean cameOfInterruption(Exception failure) {
        if (Thread.currentThread().isInterrupted()) {
            return true;
        }
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 32; depth++, cause = cause.getCause()) {
            if (cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
                return true;
            }
        }
        return false;
    }

    private Outcome sendAndShare() throws IOException {
        RESPONSE response = exchange.send();
        own = response;
        ShareableHead head = rules.shareable(request, exchange.request(), exchange.headOf(response));
        if (head == null || head.contentLength() > rules.maxBodySize()) {
            return Outcome.ALONE;
        }
        BodyPrefix body = head.isBodiless()
                ? BodyPrefix.empty()
                : BodyPrefix.read(exchange.bodyOf(response), rules.maxBodySize());
        SharedResponse shared = body.isComplete() ? head.complete(body.bytes()) : null;
        if (shared == null) {
            own = exchange.resumed(response, body.resumed());
            return Outcome.ALONE;
        }
        own = null;
        exchange.close(response);
        own = exchange.answer(shared, SharedResponse.Receiver.LEADER);
        return new Outcome(shared, null);
    }

    private void abandonOwn() {
        RESPONSE response = own;
        if (response != null) {
            own = null;
            exchange.close(response);
        }
    }
}

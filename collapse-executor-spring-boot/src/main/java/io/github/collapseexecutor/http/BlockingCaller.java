package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
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

    /** What a batch leaves behind for its followers: a response, a failure, or neither where each has to go alone. */
    private record Outcome(
            @Nullable SharedResponse response, @Nullable Exception failure) {

        static final Outcome ALONE = new Outcome(null, null);

        /** What tells this outcome from any other; the same object for all followers. */
        Object identity() {
            return response != null ? response : failure != null ? failure : this;
        }
    }

    /** A later group: the followers of one batch, told by the very object it left them, whom one call may answer. */
    private record Regroup(Object origin, Object commonValues) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Regroup that && origin == that.origin && commonValues.equals(that.commonValues);
        }

        @Override
        public int hashCode() {
            return 31 * System.identityHashCode(origin) + commonValues.hashCode();
        }

        /** Shows nothing of the request or the response. */
        @Override
        public String toString() {
            return "Regroup@" + Integer.toHexString(hashCode());
        }
    }

    RESPONSE call(BlockingCallableGroupCollapseExecutor first, BlockingCallableGroupCollapseExecutor regrouping)
            throws IOException {
        Outcome outcome = gather(first, request.key());
        while (true) {
            if (own != null) {
                return own;
            }
            SharedResponse response = outcome.response();
            Object common;
            if (outcome.failure() != null) {
                common = afterFailure(outcome.failure());
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
            outcome = gather(regrouping, new Regroup(outcome.identity(), common));
        }
    }

    private @Nullable Object afterFailure(Exception failure) throws IOException {
        LeaderFailure choice =
                next(failure instanceof IOException ? rules.onTransportFailure() : rules.onErrorResponse());
        if (choice == LeaderFailure.FAN_OUT) {
            return null;
        }
        if (choice == LeaderFailure.RE_ELECT) {
            reelected = true;
            return NOTHING_MORE;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        throw (IOException) failure;
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

    private Outcome gather(BlockingCallableGroupCollapseExecutor executor, Object group) throws IOException {
        boolean gathered = false;
        try {
            Outcome outcome = executor.execute(group, this::lead);
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

    private Outcome lead() throws IOException {
        led = true;
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

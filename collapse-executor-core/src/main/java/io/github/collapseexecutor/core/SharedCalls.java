package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the call in flight whose outcome a newcomer may share, for a group whose batches are joined in flight; guarded by the
 * group's lock.
 *
 * <p>For each input that a caller of the group has brought there is a {@link Chain} of the batches in flight that execute it,
 * the latest first; where all callers of a group get the same answer, there is one chain. A batch that may not be joined any
 * more leaves its chains, so that the first of a chain is the one, and neither a search nor a departure walks over batches.
 */
final class SharedCalls<I extends @Nullable Object, O extends @Nullable Object> {

    /** The calls of one input. */
    static final class Chain<I extends @Nullable Object, O extends @Nullable Object> {

        // immutable
        private final UserKey key;

        // mutable
        /** Calls with this input that are gathered or in flight. */
        private int calls;

        private @Nullable Link<I, O> newest;

        Chain(UserKey key) {
            this.key = key;
        }
    }

    /** A batch in a chain. */
    static final class Link<I extends @Nullable Object, O extends @Nullable Object> {

        // immutable
        private final Chain<I, O> chain;
        private final Batch<I, O> batch;
        private final Call<I, O> call;
        private final @Nullable Link<I, O> nextOfBatch;

        // mutable
        private @Nullable Link<I, O> newer;
        private @Nullable Link<I, O> older;
        /** It has left its chain before its batch has. */
        private boolean forgotten;

        Link(Chain<I, O> chain, Batch<I, O> batch, Call<I, O> call) {
            this.chain = chain;
            this.batch = batch;
            this.call = call;
            this.nextOfBatch = batch.firstLink;
            this.older = chain.newest;
        }

        /** Leaves the chain, of which it is the newest, for good; returns the next, without which it keeps no batch in memory. */
        private @Nullable Link<I, O> forget() {
            Link<I, O> next = older;
            forgotten = true;
            newer = null;
            older = null;
            return next;
        }
    }

    // immutable
    private final boolean byInput;
    private final long maxJoinAge;
    /** Of all calls, if they are not told apart by their inputs. */
    private final Chain<I, O> all = new Chain<>(new UserKey(null));

    // mutable
    private final Map<UserKey, Chain<I, O>> chains = new HashMap<>();

    SharedCalls(StartRule rule) {
        this.byInput = rule.indexesInputs;
        this.maxJoinAge = rule.maxJoinAge;
    }

    /** Looks up the chain of a call that has arrived. Runs its input's {@code hashCode} and {@code equals}, which may throw. */
    void locate(Call<I, O> call) {
        if (byInput) {
            UserKey key = new UserKey(call.value());
            Chain<I, O> chain = chains.get(key);
            call.chain = chain == null ? new Chain<>(key) : chain;
        }
    }

    /**
     * The call in flight whose outcome the given one may share, or null.
     *
     * @param nested whether the given call was made from inside a batch: then it does not wait for a batch that waits for
     *     nested calls itself, because it may be one of these
     */
    @Nullable Call<I, O> find(Call<I, O> call, long now, boolean nested) {
        Chain<I, O> chain = byInput ? requireNonNull(call.chain) : all;
        for (Link<I, O> link = chain.newest; link != null; link = link.older) {
            if (now - link.batch.startedAt() > maxJoinAge) {
                return null; // and so are all older ones
            }
            if (!nested || !link.batch.awaitsNested()) {
                return byInput ? link.call : link.batch.first();
            }
        }
        return null;
    }

    /** A call has become one of a batch that gathers. Runs its input's {@code equals}, which may throw: then it has not. */
    void gathered(Call<I, O> call) {
        Chain<I, O> chain = call.chain;
        if (chain != null) {
            if (chain.calls == 0) {
                chains.put(chain.key, chain);
            }
            chain.calls++;
        }
    }

    /** A call will not be executed, or not again. */
    void forget(Call<I, O> call) {
        Chain<I, O> chain = call.chain;
        if (chain != null) {
            call.chain = null;
            if (--chain.calls == 0) {
                chain.key.retire();
                chains.remove(chain.key);
            }
        }
    }

    /** A batch has started, and may be joined. */
    void opened(Batch<I, O> batch) {
        if (!byInput) {
            link(all, batch, requireNonNull(batch.first()));
            return;
        }
        for (Call<I, O> call = batch.first(); call != null; call = call.next) {
            Chain<I, O> chain = requireNonNull(call.chain);
            if (chain.newest == null || chain.newest.batch != batch) {
                link(chain, batch, call);
            }
        }
    }

    private void link(Chain<I, O> chain, Batch<I, O> batch, Call<I, O> call) {
        Link<I, O> link = new Link<>(chain, batch, call);
        if (chain.newest != null) {
            chain.newest.newer = link;
        }
        chain.newest = link;
        batch.firstLink = link;
    }

    /** A batch in flight may not be joined any more. */
    void closed(Batch<I, O> batch) {
        for (Link<I, O> link = batch.firstLink; link != null; link = link.nextOfBatch) {
            if (!link.forgotten) {
                unlink(link);
            }
        }
        batch.firstLink = null;
    }

    private static <I extends @Nullable Object, O extends @Nullable Object> void unlink(Link<I, O> link) {
        if (link.newer == null) {
            link.chain.newest = link.older;
        } else {
            link.newer.older = link.older;
        }
        if (link.older != null) {
            link.older.newer = link.newer;
        }
    }

    /**
     * The calls in flight of an input may not be shared any more. Runs the input's {@code equals}, which may throw.
     *
     * @param input the input, which says nothing if calls are not told apart by their inputs
     */
    void forgetInFlight(UserKey input) {
        Chain<I, O> chain = byInput ? chains.get(input) : all;
        if (chain == null) {
            return;
        }
        for (Link<I, O> link = chain.newest; link != null; link = chain.newest) {
            chain.newest = link.forget();
        }
    }

    /** A batch has ended. */
    void ended(Batch<I, O> batch) {
        closed(batch);
        for (Call<I, O> call = batch.first(); call != null; call = call.next) {
            forget(call);
        }
    }
}

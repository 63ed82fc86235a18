package io.github.collapseexecutor.http.dryrun;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.CallOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.DryRunFindings;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.message.HttpFields;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.RequestDifferences;
import io.github.collapseexecutor.http.rules.ResponseDecision;
import io.github.collapseexecutor.http.rules.ShareableHead;
import io.github.collapseexecutor.http.rules.SharingRules;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A request of a group in {@linkplain DryRun dry run}. It is sent by itself, at once. Beside that it is gathered by an executor
 * like that of the other groups, in which a call stands for the call that its request makes anyway: it begins when its batch
 * starts, and ends when the head of the leader's response has arrived. So the executor says which requests would have been
 * answered by which one's call, and nobody waits for it.
 *
 * <p>If the leader's response might have been shared with a follower, both responses are compared as soon as both bodies have
 * been read. A response whose body nobody reads or closes is not compared, and keeps nothing but itself alive.
 * Public for other packages of the library only.
 */
public final class DryRunCall implements BatchCall<CompletionStage<DryRunCall>> {

    private static final CallOptions JOINING_NONE = CallOptions.defaults().joinMode(JoinMode.FRESH);

    // immutable
    private final SharingRules rules;
    private final CollapsibleRequest request;
    private final DryRunFindings dryRun;
    private final boolean sampled;

    /** Done when the head has arrived, or none will. */
    private final CompletableFuture<DryRunCall> headArrived = new CompletableFuture<>();

    // mutable; written before headArrived is done, read after
    private volatile @Nullable ResponseDecision decision;
    private volatile @Nullable ResponsePrint print;

    public DryRunCall(SharingRules rules, CollapsibleRequest request, DryRun dryRun) {
        this.rules = rules;
        this.request = request;
        this.dryRun = DryRunFindings.of(dryRun);
        this.sampled = this.dryRun.samples(request.key().hashCode(), request.arrivedAt());
    }

    /** Gathers the request as if it were to share a call, and returns at once. */
    public void gather(FutureCallableGroupCollapseExecutor executor) {
        dryRun.arrived();
        if (rules.passes(request)) {
            dryRun.notShared(Reason.PASSING);
            return;
        }
        CallOptions options = request.joinsRunningCall() ? CallOptions.defaults() : JOINING_NONE;
        try {
            CompletableFuture<DryRunCall> leader = executor.execute(request.key(), this, options);
            CompletableFuture<?> unused = leader.thenAcceptBoth(headArrived, (led, own) -> {
                if (led != this) {
                    follow(led);
                }
            });
        } catch (RejectedExecutionException tooMany) {
            dryRun.refused();
        }
    }

    @Override
    public CompletionStage<DryRunCall> call(BatchHandle batch) {
        return headArrived;
    }

    /**
     * The head has arrived.
     *
     * @param sent the request as it was sent
     * @param response the head, whose reading may fail
     * @return what is to see the body, or null if nobody needs to
     */
    public @Nullable BodyWatch headArrived(HttpRequestView sent, HttpResponseView response) {
        try {
            ResponseDecision decided = rules.wouldBeShareable(request, sent, response);
            ResponsePrint begun = sampled ? begin(response) : null;
            print = begun;
            decision = decided;
            return begun == null || begun.whole().isDone() ? null : begun;
        } catch (RuntimeException unreadable) {
            return null; // as if the call had failed; its caller finds out by itself
        } finally {
            headArrived.complete(this);
        }
    }

    private ResponsePrint begin(HttpResponseView response) {
        HttpFields fields = HttpFields.copyOf(response::forEachHeader);
        return new ResponsePrint(
                response.status(),
                fields,
                ShareableHead.bodyLength(request.method(), response.status(), fields),
                rules.options().maxBodySize());
    }

    /** There will be no head. */
    public void failed() {
        headArrived.complete(this);
    }

    /** Another request's call would have been the one that this request waits for. */
    private void follow(DryRunCall leader) {
        ResponseDecision decided = leader.decision;
        if (decided == null) {
            dryRun.notShared(Reason.LEADER_FAILED);
        } else if (decided instanceof ResponseDecision.ForLeaderOnly refused) {
            dryRun.notShared(refused.reason());
        } else {
            follow(leader, (ShareableHead) decided);
        }
    }

    private void follow(DryRunCall leader, ShareableHead head) {
        if (head.isTooOldFor(request)) {
            dryRun.notShared(Reason.LATE);
        } else if (!head.suits(request)) {
            dryRun.notShared(Reason.VARY);
        } else if (head.isErrorResponse() && rules.options().onErrorResponse() != LeaderFailurePolicy.SHARE) {
            dryRun.notShared(Reason.LEADER_FAILED);
        } else {
            dryRun.shared();
            compareWith(leader);
        }
    }

    private void compareWith(DryRunCall leader) {
        ResponsePrint theirs = leader.print;
        ResponsePrint own = print;
        if (theirs != null && own != null) {
            CompletableFuture<?> unused = theirs.whole().thenAcceptBoth(own.whole(), (one, other) -> {
                List<String> parts = one.differences(other);
                if (parts != null) {
                    dryRun.compared(parts, RequestDifferences.between(leader.request, request));
                }
            });
        }
    }
}

package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CallSummary;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.GroupStall;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCallSummary.Outcome;
import io.github.collapseexecutor.http.HttpCallSummary.Role;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.Reason;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has tallies count the events of executors, or of the adapters of a section. The calls of a section are counted by its requests: a batch does not
 * know how they end. Those of other executors are counted by their batches.
 */
public final class TallyListener implements CollapseListener, HttpCollapseListener {

    // immutable
    private final Function<String, List<? extends CallTally>> tallies;
    private final @Nullable String section;

    private TallyListener(Function<String, List<? extends CallTally>> tallies, @Nullable String section) {
        this.tallies = tallies;
        this.section = section;
    }

    /**
     * Listens to a section.
     *
     * @param tallies those of a name
     */
    public static TallyListener ofSection(String section, Function<String, List<? extends CallTally>> tallies) {
        return new TallyListener(tallies, Objects.requireNonNull(section, "section"));
    }

    /**
     * Listens to any number of executors that are no section's.
     *
     * @param tallies those of a name
     */
    public static TallyListener ofExecutors(Function<String, List<? extends CallTally>> tallies) {
        return new TallyListener(tallies, null);
    }

    @Override
    public void batchEnded(BatchSummary batch) {
        for (CallTally tally : tallies.apply(batch.executor())) {
            tally.batch(batch);
            if (section == null) {
                addCalls(batch, tally);
                tally.failed(batch.failure());
            }
        }
    }

    private static void addCalls(BatchSummary batch, CallTally tally) {
        Outcome outcome = switch (batch.outcome()) {
            case BOUND -> Outcome.ANSWERED;
            case FAILED -> Outcome.FAILED;
            case ABANDONED -> Outcome.CANCELLED;
        };
        int followers = 0;
        for (CallSummary call : batch.calls()) {
            Role role = roleOf(call, batch);
            tally.call(role, outcome, call.waitNanos());
            followers += role == Role.FOLLOWER ? 1 : 0;
        }
        tally.saved(followers);
    }

    private static Role roleOf(CallSummary call, BatchSummary batch) {
        if (call.role() != CallSummary.Role.LEADER) {
            return Role.FOLLOWER;
        }
        return batch.callers() > 1 ? Role.LEADER : Role.ALONE;
    }

    @Override
    public void callLeft(CallDeparture departure) {
        if (section == null) {
            boolean timedOut = departure.reason() == CallDeparture.Reason.TIMED_OUT;
            Outcome outcome = timedOut ? Outcome.TIMED_OUT : Outcome.CANCELLED;
            for (CallTally tally : tallies.apply(departure.executor())) {
                tally.call(Role.FOLLOWER, outcome, departure.waitNanos());
            }
        }
    }

    @Override
    public void groupStalled(GroupStall stall) {
        tallies.apply(stall.executor()).forEach(tally -> tally.stalled(stall));
    }

    @Override
    public void callRefused(String executor, Object group, RuntimeException refusal) {
        if (section == null) {
            for (CallTally tally : tallies.apply(executor)) {
                tally.call(Role.FOLLOWER, Outcome.REJECTED, 0);
                tally.failed(refusal);
            }
        }
    }

    private List<? extends CallTally> ofSection() {
        return tallies.apply(Objects.requireNonNull(section, "only a section has requests"));
    }

    @Override
    public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
        for (CallTally tally : ofSection()) {
            tally.notCollapsed(reason);
        }
    }

    @Override
    public void requestReleased(CollapseRule rule, Reason reason, String method, URI uri) {
        for (CallTally tally : ofSection()) {
            tally.released(reason);
        }
    }

    @Override
    public void responseNotShared(CollapseRule rule, Reason reason, String method, URI uri) {
        for (CallTally tally : ofSection()) {
            tally.notShared(reason);
        }
    }

    @Override
    public void requestEnded(HttpCallSummary request) {
        for (CallTally tally : ofSection()) {
            tally.call(request.role(), request.outcome(), request.durationNanos());
            if (request.isSaved()) {
                tally.saved(1);
            }
            tally.failed(request.failure());
        }
    }
}

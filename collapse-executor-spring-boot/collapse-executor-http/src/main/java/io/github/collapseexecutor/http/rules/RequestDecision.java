package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.Reason;

/** Whether a request may share a call; made by {@code SharingRules}. */
public sealed interface RequestDecision permits CollapsibleRequest, RequestDecision.Forwarded {

    /**
     * The request is sent as a call of its own.
     *
     * @param reason why
     */
    record Forwarded(Reason reason) implements RequestDecision {}
}

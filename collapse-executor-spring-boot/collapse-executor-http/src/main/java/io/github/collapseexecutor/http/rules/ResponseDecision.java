package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.Reason;

/**
 * Whether a response may answer several requests, as its header section says; made by {@link SharingRules#shareable}.
 * Public for other packages of the library only.
 */
public sealed interface ResponseDecision permits ShareableHead, ResponseDecision.ForLeaderOnly {

    /**
     * The response is for the request that made the call only.
     *
     * @param reason why
     */
    record ForLeaderOnly(Reason reason) implements ResponseDecision {}
}

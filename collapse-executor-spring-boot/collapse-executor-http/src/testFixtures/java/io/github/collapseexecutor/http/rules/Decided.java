package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.Reason;

/** What the rules decided, where a test expects the one or the other. */
public final class Decided {

    private Decided() {}

    public static CollapsibleRequest request(RequestDecision decision) {
        if (decision instanceof CollapsibleRequest request) {
            return request;
        }
        throw new AssertionError("Expected a request that may share a call, got " + decision);
    }

    public static ShareableHead head(ResponseDecision decision) {
        if (decision instanceof ShareableHead head) {
            return head;
        }
        throw new AssertionError("Expected a response that may be shared, got " + decision);
    }

    public static RequestDecision forwarded(Reason reason) {
        return new RequestDecision.Forwarded(reason);
    }

    static ResponseDecision forLeaderOnly(Reason reason) {
        return new ResponseDecision.ForLeaderOnly(reason);
    }
}

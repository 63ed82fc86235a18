package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.rules.Decided;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.ManualHttpTime;
import io.github.collapseexecutor.http.rules.ResponseDecision;
import io.github.collapseexecutor.http.rules.SharingRules;
import io.github.collapseexecutor.http.rules.Side;
import io.github.collapseexecutor.http.rules.TestRules;
import java.net.ConnectException;
import java.util.List;

/** Machines in the state that a table begins with, and commands as a table shows them. */
abstract class MachineFixture {

    final ConnectException refused = new ConnectException("refused");
    final IllegalStateException broken = new IllegalStateException("broken");

    final ManualHttpTime time = new ManualHttpTime();

    static HttpCollapseOptions.Builder everything() {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")));
    }

    SharingRules rules(HttpCollapseOptions.Builder http) {
        return TestRules.of(http.build(), Side.CLIENT, time);
    }

    static FakeRequest fromTenant(String tenant) {
        return get("http://a/p").with("X", tenant);
    }

    /** A machine whose request is gathered for the first time. */
    static CallMachine gathered(SharingRules rules, FakeRequest request) {
        CallMachine machine = new CallMachine(rules, request(rules.collapsible(request)), CollapseOptions.defaults());
        assertThat(machine.start()).isInstanceOf(Command.Gather.class);
        return machine;
    }

    static EndedCall ended(CallResult result) {
        return new EndedCall(result, new UnansweredFollowers(1));
    }

    /** What a call of tenant 1 gave. */
    static EndedCall shared(SharingRules rules, FakeResponse response) {
        FakeRequest leader = fromTenant("1");
        ResponseDecision decision = rules.shareable(request(rules.collapsible(leader)), leader, response);
        return ended(new CallResult.Shared(Decided.head(decision).complete(new byte[0], null)));
    }

    static EndedCall failed(Throwable failure) {
        return ended(new CallResult.Failed(failure, failure instanceof ConnectException));
    }

    /** A command as a table shows it. */
    static String shown(Command command) {
        if (command instanceof Command.Gather gather) {
            return "gather " + gather.executor();
        } else if (command instanceof Command.Stream stream) {
            return "stream " + shown(stream.ended().result());
        } else if (command instanceof Command.Publish last) {
            return "publish " + shown(last.ended().result());
        } else if (command instanceof Command.Break broken) {
            return broken.thrown() instanceof FailedCall failed
                    ? "break " + shown(failed.ended().result())
                    : "break for all";
        }
        return command.getClass().getSimpleName();
    }

    static String shown(CallResult result) {
        return result instanceof CallResult.ForLeaderOnly own
                ? own.reason().name()
                : result.getClass().getSimpleName();
    }
}

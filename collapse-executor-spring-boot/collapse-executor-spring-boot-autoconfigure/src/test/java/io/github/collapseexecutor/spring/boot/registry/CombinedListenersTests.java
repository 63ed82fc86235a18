package io.github.collapseexecutor.spring.boot.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.BatchStart;
import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CallDeparture;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.Reason;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several listeners in the place of one: each is told of everything. */
class CombinedListenersTests {

    private final List<String> told = new CopyOnWriteArrayList<>();

    private CollapseListener ofBatches(String name) {
        return new CollapseListener() {
            @Override
            public void batchStarted(BatchStart batch) {
                told.add(name + " started");
            }

            @Override
            public void batchEnded(BatchSummary batch) {
                told.add(name + " ended");
            }

            @Override
            public void callLeft(CallDeparture departure) {
                told.add(name + " left");
            }

            @Override
            public void callRefused(String executor, Object group, RuntimeException refusal) {
                told.add(name + " refused");
            }
        };
    }

    @Test
    void eachIsToldOfStartsRefusalsDeparturesAndEnds() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                .maxPending(1)
                .listener(new CombinedListener(List.of(ofBatches("one"), ofBatches("other"))))
                .build());
        CompletableFuture<String> call = executor.execute("group", () -> new CompletableFuture<String>());
        assertThatThrownBy(() -> executor.execute("group", () -> new CompletableFuture<String>()))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(call.cancel(true)).isTrue();
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "one started",
                        "other started",
                        "one refused",
                        "other refused",
                        "one left",
                        "other left",
                        "one ended",
                        "other ended");
    }

    private HttpCollapseListener ofRequests(String name) {
        return new HttpCollapseListener() {
            @Override
            public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
                told.add(name + " not collapsed: " + reason);
            }

            @Override
            public void requestReleased(CollapseRule rule, Reason reason, String method, URI uri) {
                told.add(name + " released: " + reason);
            }

            @Override
            public void responseNotShared(CollapseRule rule, Reason reason, String method, URI uri) {
                told.add(name + " not shared: " + reason);
            }

            @Override
            public void requestEnded(HttpCallSummary request) {
                told.add(name + " ended: " + request.role());
            }
        };
    }

    @Test
    void eachIsToldOfRequestsAndResponses() {
        CollapseRule rule = CollapseRule.of(CollapsePolicy.strict(), "/user/*");
        HttpCollapseListener both = new CombinedHttpListener(List.of(ofRequests("one"), ofRequests("other")));
        URI address = URI.create("http://host/user/1");
        both.requestNotCollapsed(rule, Reason.RANGE, "GET", address);
        both.requestReleased(rule, Reason.PASSING, "GET", address);
        both.responseNotShared(rule, Reason.VARY, "GET", address);
        both.requestEnded(
                new HttpCallSummary(rule, HttpCallSummary.Role.ALONE, HttpCallSummary.Outcome.ANSWERED, 1, null, null));
        assertThat(told)
                .containsExactly(
                        "one not collapsed: RANGE",
                        "other not collapsed: RANGE",
                        "one released: PASSING",
                        "other released: PASSING",
                        "one not shared: VARY",
                        "other not shared: VARY",
                        "one ended: ALONE",
                        "other ended: ALONE");
    }
}

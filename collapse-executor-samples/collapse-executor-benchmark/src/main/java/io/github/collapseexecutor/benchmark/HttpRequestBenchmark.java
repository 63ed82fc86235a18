package io.github.collapseexecutor.benchmark;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpTime;
import io.github.collapseexecutor.http.rules.RequestDecision;
import io.github.collapseexecutor.http.rules.SharingRules;
import io.github.collapseexecutor.http.rules.Side;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the rules cost an HTTP request before it is sent, with a hundred groups to find it in. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class HttpRequestBenchmark {

    private static final int GROUPS = 100;

    // immutable
    private final SharingRules rules = new SharingRules(
            HttpCollapseOptions.builder().rules(groups()).build(), Side.CLIENT, HttpTime.SYSTEM, "benchmark");
    private final Request ofFirstGroup = new Request(URI.create("http://localhost:8080/api0/users/7?page=1"));
    private final Request ofLastGroup = new Request(URI.create("http://localhost:8080/api99/users/7?page=1"));
    private final Request ofNoGroup = new Request(URI.create("http://localhost:8080/other/users/7?page=1"));

    private static List<CollapseRule> groups() {
        List<CollapseRule> groups = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++) {
            groups.add(CollapseRule.of(CollapsePolicy.strict(), "/api" + i + "/users/{id}"));
        }
        return groups;
    }

    /** A request as a client sends it. */
    private record Request(URI uri) implements HttpRequestView {

        private static final List<String> ACCEPT = List.of("application/json");
        private static final List<String> AUTHORIZATION = List.of("Bearer eyJhbGciOiJub25lIn0");
        private static final List<String> TRACE = List.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
            action.accept("Accept", ACCEPT);
            action.accept("Authorization", AUTHORIZATION);
            action.accept("traceparent", TRACE);
        }

        @Override
        public boolean hasBody() {
            return false;
        }
    }

    /** A request of the first group: found at once, so that the rest is the cost of its key. */
    @Benchmark
    public RequestDecision firstOfHundredGroups() {
        return rules.collapsible(ofFirstGroup);
    }

    /** A request of the last group: every other is tried before. */
    @Benchmark
    public RequestDecision lastOfHundredGroups() {
        return rules.collapsible(ofLastGroup);
    }

    /** A request of no group, which every request pays that does not collapse. */
    @Benchmark
    public RequestDecision noneOfHundredGroups() {
        return rules.collapsible(ofNoGroup);
    }
}

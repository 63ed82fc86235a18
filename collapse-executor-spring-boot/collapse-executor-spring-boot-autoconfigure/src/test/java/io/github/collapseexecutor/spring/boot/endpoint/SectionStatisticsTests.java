package io.github.collapseexecutor.spring.boot.endpoint;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCallSummary.Outcome;
import io.github.collapseexecutor.http.HttpCallSummary.Role;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.registry.TallyListener;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the endpoint has to show of a section. */
class SectionStatisticsTests {

    private static final CollapseRule USERS = CollapseRule.of(CollapsePolicy.strict(), "/user/*");
    private static final URI ADDRESS = URI.create("http://host/user/1");

    private final SectionStatistics statistics = new SectionStatistics();
    private final TallyListener listener = TallyListener.ofSection("users", section -> List.of(statistics));

    private void ended(Role role, @Nullable Throwable failure) {
        listener.requestEnded(new HttpCallSummary(
                USERS, role, failure == null ? Outcome.ANSWERED : Outcome.FAILED, 1_000_000, failure, null));
    }

    @Test
    void sentAreTheCallsOfLeadersAndOfThoseThatWereAlone() {
        ended(Role.LEADER, null);
        ended(Role.FOLLOWER, null);
        ended(Role.FOLLOWER, null);
        ended(Role.ALONE, null);
        assertThat(statistics.shown())
                .containsEntry("requests", 4L)
                .containsEntry("sent", 2L)
                .containsEntry("saved", 2L);
    }

    @ParameterizedTest
    @EnumSource
    void aRequestOfWhichNoEndIsToldIsSent(Reason reason) {
        listener.requestNotCollapsed(USERS, reason, "GET", ADDRESS);
        long sent = reason == Reason.NOT_CONFIGURED ? 0 : 1;
        assertThat(statistics.shown()).containsEntry("requests", sent).containsEntry("sent", sent);
    }

    /** A follower may be released for any reason that a request is refused for, such as credentials that were added behind the adapter. */
    @ParameterizedTest
    @EnumSource
    void aRequestThatIsReleasedCountsOnce(Reason reason) {
        listener.requestReleased(USERS, reason, "GET", ADDRESS);
        ended(Role.ALONE, null);
        assertThat(statistics.shown())
                .containsEntry("requests", 1L)
                .containsEntry("sent", 1L)
                .extracting("notCollapsed")
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .hasSize(1);
    }

    @Test
    void batchesAreCountedByTheirSizesInPowersOfTwo() {
        for (int size = 1; size <= 5; size++) {
            FutureCollapseExecutor<Integer, Integer> executor = CollapseExecutors.futureInOrder(
                    CompletableFuture::completedFuture,
                    CollapseOptions.builder()
                            .maxBatchSize(size)
                            .waitThreshold(size)
                            .collectingWaitTime(Duration.ofMinutes(10))
                            .listener(listener)
                            .build());
            for (int input = 1; input <= size; input++) {
                CompletableFuture<Integer> unused = executor.execute(input);
            }
        }
        Map<?, ?> batches = (Map<?, ?>) requireNonNull(statistics.shown().get("batches"));
        assertThat(batches.get("sizes")).hasToString("{1=1, 2=1, 3-4=2, 5-8=1}");
        assertThat(batches.get("count")).isEqualTo(5L);
        assertThat(batches.get("maxSize")).isEqualTo(5L);
        assertThat(batches.get("meanSize")).isEqualTo(3.0);
    }

    private Map<?, ?> failures() {
        return (Map<?, ?>) statistics.shown().get("failures");
    }

    private Instant last(Class<?> type) {
        return Instant.parse(String.valueOf(((Map<?, ?>) failures().get(type.getName())).get("last")));
    }

    @Test
    void ofFailuresTheTypeTheCountAndTheTimeOfTheLastAreShown() {
        ended(Role.LEADER, new IllegalStateException("secret"));
        Instant first = last(IllegalStateException.class);
        Awaitility.await().until(() -> Instant.now().isAfter(first));
        ended(Role.LEADER, new IllegalStateException("another secret"));
        assertThat(last(IllegalStateException.class)).isAfter(first);
        assertThat(failures().toString()).contains("count=2").doesNotContain("secret");
    }

    /** Returns a failure of another class for each number. */
    private static Throwable failureNumber(int number) throws ReflectiveOperationException {
        List<Class<? extends Throwable>> types = List.of(
                IllegalStateException.class,
                IllegalArgumentException.class,
                ArithmeticException.class,
                ArrayStoreException.class,
                ClassCastException.class,
                IndexOutOfBoundsException.class,
                NegativeArraySizeException.class,
                NullPointerException.class,
                NumberFormatException.class,
                SecurityException.class,
                UnsupportedOperationException.class,
                CloneNotSupportedException.class,
                InterruptedException.class,
                java.io.IOException.class,
                java.io.EOFException.class,
                java.io.FileNotFoundException.class,
                java.io.InterruptedIOException.class,
                java.net.ConnectException.class,
                java.net.SocketException.class,
                java.net.SocketTimeoutException.class,
                java.net.UnknownHostException.class,
                java.net.ProtocolException.class,
                java.util.concurrent.TimeoutException.class,
                java.util.concurrent.CancellationException.class);
        return types.get(number).getConstructor().newInstance();
    }

    @Test
    void typesBeyondTheFirstTwentyAreCountedTogether() throws Exception {
        for (int i = 0; i < 24; i++) {
            ended(Role.LEADER, failureNumber(i));
        }
        assertThat(failures()).hasSize(21);
        assertThat(((Map<?, ?>) failures().get("others")).get("count")).isEqualTo(4L);
    }
}

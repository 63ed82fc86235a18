package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.RowOutcome;
import io.github.collapseexecutor.jdbc.RowStatement;
import io.github.collapseexecutor.jdbc.WriteOptions;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The meters say what happened, and tell nothing of a request. */
class CollapseMetersTests {

    @Test
    void withoutMicrometerNothingIsMeasured() {
        runner().withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("collapseMeters")
                        .doesNotHaveBean(ExecutorObserver.class));
    }

    @Test
    void withoutARegistryNothingIsMeasured() {
        runner().run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(CollapseMeters.class)
                .doesNotHaveBean(ExecutorObserver.class));
    }

    @Test
    void withARegistryThereAreMeters() {
        runner().withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(CollapseMeters.class));
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CollapseExecutorAutoConfiguration.class, CollapseMetricsAutoConfiguration.class))
                .withPropertyValues("collapse.executor.rest-template.collapse-groups[0].uris=/user/*");
    }

    // executors of the application's own

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private CollapseMeters bound() {
        CollapseMeters meters = new CollapseMeters();
        meters.bindTo(registry);
        return meters;
    }

    private double value(String meter, String... tags) {
        double sum = 0;
        for (Meter found : registry.find(meter).tags(tags).meters()) {
            sum += found.measure().iterator().next().getValue();
        }
        return sum;
    }

    /** Two callers of one batch: the first opens it, and it starts when the second has come. */
    private static void twoCalls(FutureCollapseExecutor<Integer, Integer> executor) throws Exception {
        CompletableFuture<Integer> first = executor.execute(1);
        CompletableFuture<Integer> second = executor.execute(2);
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(2);
    }

    private static CollapseOptions.Builder pairs(String name) {
        return CollapseOptions.builder()
                .name(name)
                .maxBatchSize(2)
                .waitThreshold(2)
                .collectingWaitTime(Duration.ofSeconds(30));
    }

    private static FutureCollapseExecutor<Integer, Integer> identity(CollapseOptions options) {
        return CollapseExecutors.futureInOrder(
                inputs -> CompletableFuture.completedFuture(new ArrayList<>(inputs)), options);
    }

    @Test
    void anExecutorOfTheApplicationIsMeasuredUnderItsName() throws Exception {
        twoCalls(identity(pairs("users").listener(bound().listener()).build()));
        assertThat(value("collapse.calls", "name", "users", "role", "leader", "outcome", "answered"))
                .isEqualTo(1);
        assertThat(value("collapse.calls", "name", "users", "role", "follower", "outcome", "answered"))
                .isEqualTo(1);
        assertThat(value("collapse.saved", "name", "users")).isEqualTo(1);
        assertThat(value("collapse.batches", "name", "users", "outcome", "bound"))
                .isEqualTo(1);
        assertThat(registry.get("collapse.batch.size").summary().totalAmount()).isEqualTo(2);
        assertThat(registry.get("collapse.wait").timer().count()).isEqualTo(1);
    }

    @Test
    void theRowsAndCommitsOfAWriterAreThoseOfTheDatabase() throws Exception {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:meters;DB_CLOSE_DELAY=-1");
        try (Connection connection = h2.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE note (text VARCHAR(20) UNIQUE)");
        }
        GroupCommit commits = new GroupCommit(
                h2,
                WriteOptions.builder()
                        .name("notes")
                        .maxBatchSize(3)
                        .collectingWaitTime(Duration.ofMinutes(10))
                        .writeListener(new WriteMeters(bound()).writes())
                        .build());
        RowStatement insert = RowStatement.of("INSERT INTO note VALUES (?)");
        List<CompletableFuture<RowOutcome>> rows =
                List.of(commits.submit(insert, "a"), commits.submit(insert, "b"), commits.submit(insert, "a"));
        assertThat(rows.get(0)).succeedsWithin(30, TimeUnit.SECONDS);
        assertThat(rows.get(1)).succeedsWithin(30, TimeUnit.SECONDS);
        assertThat(rows.get(2)).failsWithin(30, TimeUnit.SECONDS).withThrowableOfType(ExecutionException.class);
        assertThat(value("collapse.rows", "name", "notes", "outcome", "written"))
                .isEqualTo(2);
        assertThat(value("collapse.rows", "name", "notes", "outcome", "failed")).isEqualTo(1);
        assertThat(value("collapse.commits", "name", "notes", "outcome", "committed"))
                .isEqualTo(1);
        assertThat(registry.find("collapse.commits").meters()).hasSize(1);
    }

    @Test
    void theNumbersAndRoundTripsOfSequencesAreThoseOfTheSource() throws Exception {
        AtomicLong counter = new AtomicLong();
        SequenceSource source = new WriteMeters(bound()).measured("orders", (name, count) -> {
            if (name.equals("broken")) {
                throw new IOException("no connection");
            }
            return SequenceSource.endingAt(counter.addAndGet(count), count);
        });
        CollapseOptions options = Sequences.defaultOptions().toBuilder()
                .maxBatchSize(2)
                .waitThreshold(2)
                .collectingWaitTime(Duration.ofSeconds(30))
                .build();
        Sequences sequences = Sequences.of(source, options);
        CompletableFuture<Long> first = sequences.nextAsync("order_id");
        CompletableFuture<Long> second = sequences.nextAsync("order_id");
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(Sequences.of(source).nextAsync("broken"))
                .failsWithin(30, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class);
        assertThat(value("collapse.numbers", "name", "orders", "outcome", "taken"))
                .isEqualTo(2);
        assertThat(value("collapse.round.trips", "name", "orders", "outcome", "taken"))
                .isEqualTo(1);
        assertThat(value("collapse.round.trips", "name", "orders", "outcome", "failed"))
                .isEqualTo(1);
    }

    @Test
    void aFailedBatchIsMeasuredAsFailed() {
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                        .name("users")
                        .listener(bound().listener())
                        .build());
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> executor.execute("a", () -> {
                    throw new IllegalStateException("broken");
                })))
                .hasMessage("broken");
        assertThat(value("collapse.calls", "name", "users", "role", "alone", "outcome", "failed"))
                .isEqualTo(1);
        assertThat(value("collapse.saved", "name", "users")).isZero();
    }

    @Test
    void metersAreShownForAsLongAsTheirSourceIsInUseWheneverTheRegistryIsBound() {
        CollapseMeters meters = new CollapseMeters();
        FutureCollapseExecutor<Integer, Integer> executor = CollapseExecutors.futureInOrder(
                inputs -> new CompletableFuture<>(),
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        meters.watch("users", executor);
        DryRun dryRun = new DryRun("users");
        meters.watch("rest-template", "[/user/*]", dryRun);
        meters.bindTo(registry);
        assertThat(registry.find("collapse.dry.run.requests")
                        .tag("group", "[/user/*]")
                        .functionCounters())
                .as(dryRun + " that was there before")
                .hasSize(1);
        CompletableFuture<Integer> present = executor.execute(1);
        Map<String, Double> expected =
                Map.of("collapse.pending", 1.0, "collapse.in.flight", 1.0, "collapse.groups", 1.0);
        expected.forEach((gauge, number) -> assertThat(
                        registry.get(gauge).tag("name", "users").gauge().value())
                .as(gauge)
                .isEqualTo(number));
        assertThat(present.cancel(true)).isTrue();
    }

    private static FutureCollapseExecutor<Integer, Integer> neverEnding() {
        return CollapseExecutors.futureInOrder(
                inputs -> new CompletableFuture<>(),
                CollapseOptions.builder().maxConcurrentBatches(1).build());
    }

    @Test
    void ofSeveralExecutorsOfOneNameTheSumOfThoseInUseIsShown() {
        CollapseMeters meters = bound();
        FutureCollapseExecutor<Integer, Integer> first = neverEnding();
        FutureCollapseExecutor<Integer, Integer> second = neverEnding();
        meters.watch("users", first);
        meters.watch("users", second);
        meters.watch("others", neverEnding());
        List<CompletableFuture<Integer>> present = List.of(first.execute(1), second.execute(2), second.execute(3));
        assertThat(value("collapse.pending", "name", "users")).isEqualTo(3);
        assertThat(value("collapse.in.flight", "name", "users")).isEqualTo(2);
        assertThat(value("collapse.pending", "name", "others")).isZero();
        assertThat(present).allSatisfy(call -> assertThat(call.cancel(true)).isTrue());
    }

    @Test
    void anExecutorThatIsGoneIsNotShownAndNotKept() {
        CollapseMeters meters = bound();
        FutureCollapseExecutor<Integer, Integer> stays = neverEnding();
        FutureCollapseExecutor<Integer, Integer> dropped = neverEnding();
        meters.watch("users", dropped);
        meters.watch("users", stays);
        CompletableFuture<Integer> present = stays.execute(1);
        WeakReference<Object> gone = new WeakReference<>(dropped);
        dropped = stays;
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return gone.refersTo(null);
        });
        assertThat(value("collapse.pending", "name", "users")).isEqualTo(1);
        assertThat(present.cancel(true)).isTrue();
        assertThat(dropped).isSameAs(stays);
    }

    @Test
    void everyRegistryThatIsBoundMeasures() throws Exception {
        CollapseMeters meters = bound();
        SimpleMeterRegistry another = new SimpleMeterRegistry();
        meters.bindTo(another);
        twoCalls(identity(pairs("users").listener(meters.listener()).build()));
        assertThat(value("collapse.saved", "name", "users")).isEqualTo(1);
        assertThat(another.get("collapse.saved").counter().count()).isEqualTo(1);
    }

    @Test
    void noTagHoldsAGroup() throws Exception {
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                        .name("users")
                        .listener(bound().listener())
                        .build());
        assertThat(executor.execute("secret", () -> "answer")).isEqualTo("answer");
        assertThat(registry.getMeters())
                .isNotEmpty()
                .allSatisfy(meter -> assertThat(meter.getId().getTags())
                        .extracting(Tag::getValue)
                        .doesNotContain("secret", "answer"));
    }
}

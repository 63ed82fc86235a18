package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.jdbc.RowOutcome;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A group is larger than the server has threads, and never leaves before it is full, or leaves at once. */
class HangTests {

    private static final int THREADS = 6;
    private static final int GROUP = 2 * THREADS;
    private static final Duration NEVER = Duration.ofHours(1);

    private static ConfigurableApplicationContext application;
    private static HttpClient users;
    private static RowGroups groups;

    @BeforeAll
    static void start() {
        application = SpringApplication.run(
                GroupCommitSampleApplication.class,
                "--server.port=0",
                "--server.tomcat.threads.max=" + THREADS,
                "--load.hang=200ms",
                "--spring.datasource.url=jdbc:h2:mem:hang;LOCK_TIMEOUT=20000");
        users = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        groups = application.getBean(RowGroups.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void restock() {
        application.getBean(Shop.class).restock(10);
    }

    private static CompletableFuture<String> post(String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return users.sendAsync(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .POST(BodyPublishers.noBody())
                                .build(),
                        BodyHandlers.ofString())
                .thenApply(answer -> answer.statusCode() + " " + answer.body());
    }

    private static List<CompletableFuture<String>> post(String path, int number) {
        return IntStream.range(0, number).mapToObj(user -> post(path)).toList();
    }

    /** As the document on group commit warns: each thread waits for more requests that no thread is left to bring. */
    @Test
    void withAWindowAndThreadsThatWaitTheServerHangs() throws Exception {
        groups.use(HangRun.Kind.WINDOW.options(GROUP, NEVER));
        List<CompletableFuture<String>> rows = post("/submit", GROUP);
        while (groups.callers() < THREADS) {
            Thread.onSpinWait();
        }
        CompletableFuture<String> nothing = post("/nothing");
        assertThat(groups.callers()).isEqualTo(THREADS); // though as many users ask as a group holds
        assertThat(rows).noneMatch(CompletableFuture::isDone);
        assertThat(nothing).isNotDone();
        fillFromElsewhere();
        while (rows.stream().filter(CompletableFuture::isDone).count() < THREADS) {
            Thread.onSpinWait();
        }
        while (groups.callers() < THREADS) { // the other users, whose group is not full either
            Thread.onSpinWait();
        }
        fillFromElsewhere();
        assertThat(rows).allSatisfy(row -> assertThat(row.join()).isEqualTo("200 true"));
        assertThat(nothing.join()).isEqualTo("200 true");
    }

    /** Rows that need no thread of the server. */
    private static void fillFromElsewhere() {
        for (int row = THREADS; row < GROUP; row++) {
            CompletableFuture<RowOutcome> unused =
                    groups.submit(SubmitController.ROW, UUID.randomUUID().toString(), 1L, 1L, 1L, BigDecimal.ONE);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DEFAULT", "LATER"})
    void withoutAWindowOrWithoutThreadsThatWaitItDoesNot(HangRun.Kind kind) {
        groups.use(kind.options(GROUP, NEVER));
        List<CompletableFuture<String>> rows = post(kind.path, GROUP);
        CompletableFuture<String> nothing = post("/nothing");
        assertThat(rows).allSatisfy(row -> assertThat(row.join()).isEqualTo("200 true"));
        assertThat(nothing.join()).isEqualTo("200 true");
    }

    @Test
    void theRunFindsEveryRow() throws Exception {
        assertThat(application.getBean(HangRun.class).run()).isTrue();
    }
}

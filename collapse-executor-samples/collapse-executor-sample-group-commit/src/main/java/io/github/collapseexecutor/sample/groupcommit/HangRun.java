package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.jdbc.WriteOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Has more users write than the server has threads, while the group is larger still, and asks for something that writes nothing: it waits as well, if
 * each thread of the server waits for more requests that no thread is left to bring.
 */
@Component
@Lazy
class HangRun implements Experiment {

    /** How a group of twice the server's threads is written. */
    enum Kind {
        WINDOW("a window, and callers that wait", "/submit", true),
        DEFAULT("no window, the default", "/submit", false),
        LATER("a window, and no thread that waits", "/submit-later", true);

        // immutable
        final String title;
        final String path;
        private final boolean hasWindow;

        Kind(String title, String path, boolean hasWindow) {
            this.title = title;
            this.path = path;
            this.hasWindow = hasWindow;
        }

        /** Rows leave when the group is full or the window is over, whatever other groups do; or at once. */
        WriteOptions options(int group, Duration window) {
            return WriteOptions.builder()
                    .maxBatchSize(group)
                    .collectingWaitTime(hasWindow ? window : Duration.ZERO)
                    .build();
        }
    }

    /**
     * What the users met.
     *
     * @param rows of how many milliseconds it took until all rows were answered
     * @param nothing how many it took until the request was answered that writes nothing
     */
    record Met(double rows, double nothing) {}

    // immutable
    private final Environment environment;
    private final RowGroups groups;
    private final Shop shop;
    private final JdbcTemplate jdbc;
    private final int threads;
    private final Duration window;
    private final HttpClient users =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    HangRun(
            Environment environment,
            RowGroups groups,
            Shop shop,
            JdbcTemplate jdbc,
            @Value("${server.tomcat.threads.max}") int threads,
            @Value("${load.hang}") Duration window) {
        if (window.compareTo(Duration.ofMillis(1)) < 0 || window.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("load.hang is " + window.toMillis()
                    + " ms: it must be the time that a group waits for more requests, from 1ms to 1m");
        }
        this.environment = environment;
        this.groups = groups;
        this.shop = shop;
        this.jdbc = jdbc;
        this.threads = threads;
        this.window = window;
    }

    @Override
    public boolean run() throws IOException, InterruptedException {
        boolean correct = true;
        System.out.printf(
                Locale.ROOT,
                "%d users, %d threads of the server, groups of up to %d rows, a window of %d ms%n",
                usersAtOnce(),
                threads,
                2 * threads,
                window.toMillis());
        met(Kind.DEFAULT); // has the shop compiled
        for (Kind kind : Kind.values()) {
            shop.restock(0);
            Met met = met(kind);
            Integer there = jdbc.queryForObject("SELECT COUNT(*) FROM order_info", Integer.class);
            correct &= there != null && there == usersAtOnce();
            System.out.printf(
                    Locale.ROOT,
                    "%-35s all rows answered after %6.0f ms, a request that writes nothing after %6.0f ms%n",
                    kind.title,
                    met.rows(),
                    met.nothing());
        }
        groups.use(Gathering.of(environment));
        System.out.println(correct ? "Every row is there." : "ROWS ARE MISSING.");
        return correct;
    }

    private int usersAtOnce() {
        return threads + threads / 2;
    }

    private Met met(Kind kind) throws InterruptedException {
        groups.use(kind.options(2 * threads, window));
        long begin = System.nanoTime();
        List<CompletableFuture<HttpResponse<String>>> rows = new ArrayList<>();
        for (int user = 0; user < usersAtOnce(); user++) {
            rows.add(post(kind.path + "?order_no=" + UUID.randomUUID()));
        }
        while (groups.callers() < threads && rows.stream().noneMatch(CompletableFuture::isDone)) {
            Thread.sleep(1); // until each thread of the server has a row
        }
        long asked = System.nanoTime();
        CompletableFuture<Double> nothing = post("/nothing").thenApply(answer -> (System.nanoTime() - asked) / 1e6);
        CompletableFuture.allOf(rows.toArray(CompletableFuture[]::new)).join();
        return new Met((System.nanoTime() - begin) / 1e6, nothing.join());
    }

    private CompletableFuture<HttpResponse<String>> post(String path) {
        String port = environment.getRequiredProperty("local.server.port");
        return users.sendAsync(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .POST(BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }
}

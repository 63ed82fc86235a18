package io.github.collapseexecutor.sample.groupcommit;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;

/** Users without a thread of their own, each of whom sends a request as soon as the one before is answered. */
final class LoadUsers {

    // immutable
    private final HttpClient client;
    private final String address;
    private final LoadScenario scenario;
    private final LoadScenario.Way way;
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final LongAdder failed = new LongAdder();
    private final ConcurrentHistogram nanos =
            new ConcurrentHistogram(Duration.ofMinutes(10).toNanos(), 3);

    LoadUsers(HttpClient client, String address, LoadScenario scenario, LoadScenario.Way way) {
        this.client = client;
        this.address = address;
        this.scenario = scenario;
        this.way = way;
    }

    /** Returns when every user has been answered for the last time; how long that took, in nanoseconds. */
    long ask(int users, Duration duration) {
        long begin = System.nanoTime();
        long end = begin + duration.toNanos();
        CompletableFuture<?>[] all =
                IntStream.range(0, users).mapToObj(user -> askUntil(end)).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(all).join();
        return System.nanoTime() - begin;
    }

    private CompletableFuture<Void> askUntil(long end) {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        ask(end, asked);
        return asked;
    }

    /** Sends a request, and the next one when it is answered, until the time is over. */
    private void ask(long end, CompletableFuture<Void> over) {
        long asked = System.nanoTime();
        if (asked >= end) {
            over.complete(null);
            return;
        }
        String id = LoadScenario.newId();
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + scenario.request(way, id)))
                .timeout(Duration.ofMinutes(1))
                .POST(BodyPublishers.noBody())
                .build();
        CompletableFuture<?> unused = client.sendAsync(request, BodyHandlers.ofString())
                .handle((response, failure) -> {
                    nanos.recordValue(System.nanoTime() - asked);
                    count(id, response);
                    return id;
                })
                .thenAccept(answered -> ask(end, over))
                .exceptionally(broken -> {
                    over.completeExceptionally(broken);
                    return null;
                });
    }

    private void count(String id, @Nullable HttpResponse<String> response) {
        if (response == null || response.statusCode() != 200) {
            failed.increment();
        } else {
            acknowledged.add(scenario.isOrder() ? response.body() : id);
        }
    }

    /** The names of rows, or the numbers of orders, that were acknowledged. */
    Queue<String> acknowledged() {
        return acknowledged;
    }

    long failed() {
        return failed.sum();
    }

    long percentileNanos(double percent) {
        return nanos.getValueAtPercentile(percent);
    }
}

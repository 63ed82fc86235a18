package io.github.collapseexecutor.sample.groupcommit;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** Users without a thread of their own, each of whom sends a request as soon as the one before is answered. */
final class LoadUsers {

    private static final int OK = 200;

    // immutable
    private final HttpClient client;
    private final LoadScenario scenario;
    private final LoadScenario.Way way;
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final LongAdder failed = new LongAdder();
    private final ConcurrentHistogram nanos =
            new ConcurrentHistogram(Duration.ofMinutes(10).toNanos(), 3);

    /** @param client knows the address of the shop, and has a connection for each user */
    LoadUsers(HttpClient client, LoadScenario scenario, LoadScenario.Way way) {
        this.client = client;
        this.scenario = scenario;
        this.way = way;
    }

    /** Returns when every user has been answered for the last time; how long that took, in nanoseconds. */
    long ask(int users, Duration duration) {
        long begin = System.nanoTime();
        long end = begin + duration.toNanos();
        Mono<Void> untilTheEnd =
                Mono.defer(this::ask).repeat(() -> System.nanoTime() < end).then();
        Flux.range(0, users).flatMap(user -> untilTheEnd, users).then().block();
        return System.nanoTime() - begin;
    }

    private Mono<Void> ask() {
        String id = LoadScenario.newId();
        long asked = System.nanoTime();
        return client.post()
                .uri(scenario.request(way, id))
                .responseSingle((response, body) -> body.asString()
                        .defaultIfEmpty("")
                        .doOnNext(text -> count(response.status().code(), scenario.isOrder() ? text : id)))
                .doOnError(broken -> failed.increment())
                .onErrorComplete()
                .doOnTerminate(() -> nanos.recordValue(System.nanoTime() - asked))
                .then();
    }

    private void count(int status, String id) {
        if (status == OK) {
            acknowledged.add(id);
        } else {
            failed.increment();
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

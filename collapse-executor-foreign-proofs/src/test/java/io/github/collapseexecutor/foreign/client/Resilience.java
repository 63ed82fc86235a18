package io.github.collapseexecutor.foreign.client;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.time.Duration;
import org.springframework.web.reactive.function.client.WebClientRequestException;

/** Of Resilience4j, set so that nobody sees it but in how often is asked. */
final class Resilience {

    private Resilience() {}

    static Retry retry() {
        return Retry.of(
                "once more",
                RetryConfig.custom()
                        .maxAttempts(2)
                        .waitDuration(Duration.ofMillis(1))
                        .retryExceptions(IOException.class, WebClientRequestException.class)
                        .build());
    }

    static CircuitBreaker closed() {
        return CircuitBreaker.of(
                "closed",
                CircuitBreakerConfig.custom()
                        .minimumNumberOfCalls(1_000_000)
                        .slidingWindowSize(1_000_000)
                        .build());
    }
}

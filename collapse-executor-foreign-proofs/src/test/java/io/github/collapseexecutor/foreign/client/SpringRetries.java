package io.github.collapseexecutor.foreign.client;

import java.io.IOException;
import org.springframework.retry.support.RetryTemplate;

/** Of Spring Retry. */
final class SpringRetries {

    private SpringRetries() {}

    static RetryTemplate once() {
        return RetryTemplate.builder()
                .maxAttempts(2)
                .noBackoff()
                .retryOn(IOException.class)
                .build();
    }
}

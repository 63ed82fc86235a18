package io.github.collapseexecutor.sample.springboot;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints for a load generator: the same work, of 0, 1 or 100 ms, collapsed ({@code /test/collapse100}) and not ({@code
 * /test/noop100}). Each answers with the number of the run that made the answer, so that shared answers show.
 */
@RestController
@RequestMapping("/test")
class StressTestController {

    // immutable
    private final AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor();

    // mutable, atomic
    private final AtomicLong runs = new AtomicLong();

    /** No thread of the server waits: it is given back until the shared run has ended. */
    @GetMapping("/collapse{millis:0|1|100}")
    CompletableFuture<Long> collapse(@PathVariable long millis) {
        return executor.execute(millis, () -> work(millis));
    }

    @GetMapping("/noop{millis:0|1|100}")
    long noop(@PathVariable long millis) throws InterruptedException {
        return work(millis);
    }

    /** Returns how often the work has been done since the last reset. */
    @GetMapping("/counter")
    long counter() {
        return runs.get();
    }

    /** Counts from 0 again, and returns how often the work had been done. */
    @RequestMapping(
            path = "/reset",
            method = {RequestMethod.GET, RequestMethod.POST})
    long reset() {
        return runs.getAndSet(0);
    }

    private long work(long millis) throws InterruptedException {
        if (millis > 0) {
            Thread.sleep(millis);
        }
        return runs.incrementAndGet();
    }
}

package io.github.collapseexecutor.sample.springboot;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints for a load generator: the same work, of 0, 1, 20 or 100 ms, whose runs are shared by the Servlet filter ({@code
 * /test/collapse100}, as {@code application.yaml} says) and are not ({@code /test/noop100}). Each answers with the number of its
 * run, counted when it begins, so that it shows who shares one. {@code /test/collapse-moody} and {@code /test/noop-moody} hang or
 * fail on demand.
 */
@RestController
@RequestMapping("/test")
class StressTestController {

    // mutable, atomic
    private final AtomicLong runs = new AtomicLong();

    // mutable, thread-safe
    private final Mood mood = new Mood();

    @GetMapping({"/noop{millis:0|1|20|100}", "/collapse{millis:0|1|20|100}"})
    long work(@PathVariable long millis) throws InterruptedException {
        long run = runs.incrementAndGet();
        if (millis > 0) {
            Thread.sleep(millis);
        }
        return run;
    }

    /** Work of 20 ms in whatever mood it is: it answers, hangs until it does not, or fails. */
    @GetMapping({"/noop-moody", "/collapse-moody"})
    long moody() throws InterruptedException {
        long run = runs.incrementAndGet();
        mood.pass();
        Thread.sleep(20);
        return run;
    }

    /** Lets the moods begin, each of them for so long: well, hanging, failing, well. */
    @PostMapping("/moods/{millis}")
    void moods(@PathVariable long millis) {
        mood.begin(millis);
    }

    /** Returns how often the work has been begun since the last reset. */
    @GetMapping("/counter")
    long runs() {
        return runs.get();
    }

    /** Counts from 0 again, and returns how often the work had been begun. */
    @RequestMapping(
            path = "/reset",
            method = {RequestMethod.GET, RequestMethod.POST})
    long reset() {
        return runs.getAndSet(0);
    }
}

package io.github.collapseexecutor.spring.boot;

import java.util.concurrent.atomic.LongAdder;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service that counts its calls and takes some milliseconds for each. */
@RestController
class CountingBackend {

    // mutable, thread-safe
    private final LongAdder calls = new LongAdder();

    @GetMapping("/shared/{id}")
    String shared(@PathVariable("id") String id) throws InterruptedException {
        return answer(id);
    }

    @GetMapping("/private/{id}")
    ResponseEntity<String> own(@PathVariable("id") String id) throws InterruptedException {
        return ResponseEntity.ok().header("Cache-Control", "private").body(answer(id));
    }

    @PostMapping("/shared/{id}")
    String change(@PathVariable("id") String id) throws InterruptedException {
        return answer(id);
    }

    private String answer(String id) throws InterruptedException {
        calls.increment();
        Thread.sleep(5); // the work; nothing depends on how long it takes
        return id;
    }

    long calls() {
        return calls.sum();
    }
}

package io.github.collapseexecutor.spring.boot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** A service that notes every call and answers none before it is told to. */
@RestController
class Backend {

    // mutable, thread-safe
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);

    @GetMapping({"/{kind}/{id}"})
    String answer(
            @PathVariable("kind") String kind,
            @PathVariable("id") String id,
            @RequestHeader(name = "Authorization", required = false) @Nullable String user)
            throws InterruptedException {
        String answer = kind + " " + id + " for " + (user == null ? "anybody" : user);
        calls.add(answer);
        if (!released.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the test does not release the calls");
        }
        return answer;
    }

    List<String> calls() {
        return calls;
    }

    void release() {
        released.countDown();
    }
}

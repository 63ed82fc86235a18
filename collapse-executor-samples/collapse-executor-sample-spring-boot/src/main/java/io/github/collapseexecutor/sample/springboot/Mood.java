package io.github.collapseexecutor.sample.springboot;

import java.util.concurrent.TimeUnit;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** How work feels that is to be seen at its worst: from some moment on, it is well, hangs, fails, and is well again. */
final class Mood {

    // mutable, guarded by this
    private long begin = System.nanoTime();
    private long length;

    /** Lets the first mood begin now, each of them for so long; nobody could tell a server to be well again that hangs. */
    synchronized void begin(long millis) {
        begin = System.nanoTime();
        length = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /**
     * Returns when the work does not hang.
     *
     * @throws ResponseStatusException if it fails
     */
    void pass() throws InterruptedException {
        long hanging = nanosOfHanging();
        while (hanging > 0) {
            TimeUnit.NANOSECONDS.sleep(hanging);
            hanging = nanosOfHanging();
        }
        if (isFailing()) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_GATEWAY); // after a 500 or 503, Tomcat closes the connection
        }
    }

    /** For how long it will hang yet; 0 if it does not. */
    private synchronized long nanosOfHanging() {
        long passed = System.nanoTime() - begin;
        return passed >= length && passed < 2 * length ? 2 * length - passed : 0;
    }

    private synchronized boolean isFailing() {
        long passed = System.nanoTime() - begin;
        return passed >= 2 * length && passed < 3 * length;
    }
}

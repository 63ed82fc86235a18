package io.github.collapseexecutor.sample.groupcommit;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** Numbers orders; the tables are made anew with every start, so that it may begin at 1. */
@Component
class OrderIds {

    // mutable
    private final AtomicLong last = new AtomicLong();

    long next() {
        return last.incrementAndGet();
    }
}

package io.github.collapseexecutor.sample.groupcommit;

import java.util.concurrent.Semaphore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Takes orders one by one, so many at a time as {@code load.limit} says; others wait before they have a connection, first come, first served. */
@Component
class LimitedOrders {

    private static final int MOST = 100_000;

    // immutable
    private final PlainOrders orders;
    private final int limit;

    // mutable, thread-safe
    private final Semaphore admitted;

    LimitedOrders(PlainOrders orders, @Value("${load.limit:0}") int limit) {
        if (limit < 0 || limit > MOST) {
            throw new IllegalArgumentException(
                    "load.limit is " + limit + ": it must be a number of orders that are taken at a time, from 1 to "
                            + MOST + "; 0 limits nothing");
        }
        this.orders = orders;
        this.limit = limit;
        this.admitted = new Semaphore(limit == 0 ? MOST : limit, true);
    }

    /** Whether any limit is set. */
    boolean isLimited() {
        return limit > 0;
    }

    /** How many orders wait to be taken. */
    int waiting() {
        return admitted.getQueueLength();
    }

    long submit(long userId, long goodsId, int count) throws OrderRefusedException, InterruptedException {
        admitted.acquire();
        try {
            return orders.submit(userId, goodsId, count);
        } finally {
            admitted.release();
        }
    }
}

package io.github.collapseexecutor.sample.groupcommit;

import org.springframework.http.HttpStatus;

/** An order that the shop does not take, and the status that says why. */
final class OrderRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    // immutable
    private final HttpStatus status;

    OrderRefusedException(HttpStatus status, String message) {
        super(message);
        this.status = status;
    }

    static OrderRefusedException unknown(long goodsId) {
        return new OrderRefusedException(HttpStatus.NOT_FOUND, "There are no goods " + goodsId);
    }

    static OrderRefusedException outOfStock(long goodsId, int count) {
        return new OrderRefusedException(HttpStatus.CONFLICT, "There are fewer than " + count + " of " + goodsId);
    }

    static OrderRefusedException tooExpensive(long goodsId, int count) {
        return new OrderRefusedException(
                HttpStatus.CONFLICT,
                count + " of " + goodsId + " cost more than " + Integer.MAX_VALUE + ": order fewer at a time");
    }

    HttpStatus status() {
        return status;
    }
}

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

    HttpStatus status() {
        return status;
    }
}

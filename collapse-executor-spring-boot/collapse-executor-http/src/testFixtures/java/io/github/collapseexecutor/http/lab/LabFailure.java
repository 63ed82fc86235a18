package io.github.collapseexecutor.http.lab;

import jakarta.servlet.ServletException;

/** What a handler of the lab throws; without a stack trace, because servers log it each time. */
final class LabFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LabFailure(String message) {
        super(message, null, false, false);
    }

    /** The same as a checked exception of a servlet. */
    static final class Checked extends ServletException {

        private static final long serialVersionUID = 1L;

        Checked(String message) {
            super(message);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}

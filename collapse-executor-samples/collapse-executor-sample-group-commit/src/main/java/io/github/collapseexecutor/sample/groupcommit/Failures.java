package io.github.collapseexecutor.sample.groupcommit;

import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers what is the caller's mistake with its status; everything else is an internal error. */
@RestControllerAdvice
class Failures {

    @ExceptionHandler
    ResponseEntity<String> refused(OrderRefusedException refusal) {
        return ResponseEntity.status(refusal.status()).body(refusal.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<String> duplicate(DuplicateKeyException failure) {
        return conflict();
    }

    @ExceptionHandler
    ResponseEntity<String> database(SQLException failure) throws SQLException {
        boolean constraint = failure instanceof SQLIntegrityConstraintViolationException
                || String.valueOf(failure.getSQLState()).startsWith("23");
        if (!constraint) {
            throw failure;
        }
        return conflict();
    }

    private static ResponseEntity<String> conflict() {
        return ResponseEntity.status(HttpStatus.CONFLICT).body("There is such a row already");
    }
}

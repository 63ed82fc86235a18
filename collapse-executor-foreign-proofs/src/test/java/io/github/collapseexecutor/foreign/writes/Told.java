package io.github.collapseexecutor.foreign.writes;

import io.github.collapseexecutor.jdbc.OutcomeUnknownException;
import java.sql.SQLException;
import java.util.List;

/** What one caller is told of its row, and what its key leads to. */
record Told(String failure, int count, String ofKey, List<String> returned) {

    static Told failed(Throwable failure) {
        String text = failure.getClass().getName();
        if (failure instanceof SQLException sql) {
            text += " " + sql.getSQLState() + " " + sql.getErrorCode();
        }
        if (Boolean.getBoolean("foreign.messages")) {
            text += " " + failure.getMessage();
        }
        return new Told(text, 0, "", List.of());
    }

    boolean isWritten() {
        return failure.isEmpty();
    }

    /** Whether no database has said so, so that nothing says whether the database has acted. */
    boolean isOfALayer() {
        return !failure.isEmpty() && (failure.contains(" null ") || !failure.contains(" "));
    }

    boolean isUnknown() {
        return failure.startsWith(OutcomeUnknownException.class.getName());
    }
}

package io.github.collapseexecutor.jdbc.connection;

import java.sql.SQLException;

/**
 * What is asked of a connection or statement that may be broken, or whose pool may be older than the method, as DBCP 1 is: nothing depends on why it fails.
 * Public for other packages of the library only.
 */
public final class Tried {

    private Tried() {}

    /** A step over a connection. */
    @FunctionalInterface
    public interface Step {
        void run() throws SQLException;
    }

    /** A question to a connection. */
    @FunctionalInterface
    public interface Question<A> {
        A ask() throws SQLException;
    }

    /** Whether a step succeeded. */
    public static boolean done(Step step) {
        return answer(
                () -> {
                    step.run();
                    return true;
                },
                false);
    }

    /** The answer, or the other one if there is none. */
    public static <A> A answer(Question<A> question, A otherwise) {
        try {
            return question.ask();
        } catch (SQLException | RuntimeException | LinkageError unanswered) {
            return otherwise;
        }
    }
}

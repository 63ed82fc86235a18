package io.github.collapseexecutor.spring.annotation;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** Says that an annotated method cannot be collapsed: which method, why, and the remedy. It stops the start of the application. */
public final class InvalidCollapsingException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    // immutable
    /** The method, with its class and parameter types. */
    private final String method;

    /** Why it cannot be collapsed. */
    private final String reason;

    /** What to change. */
    private final String remedy;

    /**
     * For the library.
     *
     * @param method the method with its class and parameter types, after its annotation
     * @param reason why it cannot be collapsed
     * @param remedy what to change
     * @param cause the failure that says so, or null
     */
    public InvalidCollapsingException(String method, String reason, String remedy, @Nullable Throwable cause) {
        super(method + ": " + reason + ". " + remedy, cause);
        this.method = requireNonNull(method, "method");
        this.reason = requireNonNull(reason, "reason");
        this.remedy = requireNonNull(remedy, "remedy");
    }

    /**
     * Returns the method.
     *
     * @return the method with its class and parameter types, after its annotation
     */
    public String method() {
        return method;
    }

    /**
     * Returns why it cannot be collapsed.
     *
     * @return a sentence without a full stop
     */
    public String reason() {
        return reason;
    }

    /**
     * Returns the remedy.
     *
     * @return a sentence
     */
    public String remedy() {
        return remedy;
    }
}

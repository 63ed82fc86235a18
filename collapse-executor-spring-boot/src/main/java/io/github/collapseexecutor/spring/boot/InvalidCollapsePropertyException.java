package io.github.collapseexecutor.spring.boot;

import org.jspecify.annotations.Nullable;

/** Says that a value under {@code collapse.executor} cannot work, so that the start ends with a message that a user can act upon. */
final class InvalidCollapsePropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    // immutable
    private final String property;
    private final String value;
    private final String reason;
    private final String action;

    InvalidCollapsePropertyException(String property, Object value, String reason, String action) {
        this(property, value, reason, action, null);
    }

    InvalidCollapsePropertyException(
            String property, Object value, String reason, String action, @Nullable Throwable cause) {
        super("property " + property + ", value \"" + value + "\": " + reason + ". " + action, cause);
        this.property = property;
        this.value = value.toString();
        this.reason = reason;
        this.action = action;
    }

    String property() {
        return property;
    }

    String value() {
        return value;
    }

    String reason() {
        return reason;
    }

    String action() {
        return action;
    }
}

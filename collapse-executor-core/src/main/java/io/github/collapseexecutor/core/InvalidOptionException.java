package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Says that an option cannot have a value: which option, which value, and what it must be. A reader of configuration can say
 * the same in its own words, because it need not read the message.
 */
public final class InvalidOptionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    // immutable
    /** The option's name. */
    private final String option;

    /** The value as a text. */
    private final String value;

    /** The rule that the value breaks. */
    private final String requirement;

    /**
     * Creates an exception.
     *
     * @param option the option as the builder's method is called
     * @param value the value that was refused
     * @param requirement what the value must be, and the remedy; a sentence without a capital letter and without a full stop
     */
    public InvalidOptionException(String option, Object value, String requirement) {
        this(option, value, requirement, null);
    }

    /**
     * Creates an exception.
     *
     * @param option the option as the builder's method is called
     * @param value the value that was refused
     * @param requirement what the value must be, and the remedy; a sentence without a capital letter and without a full stop
     * @param cause what found it; null if nothing did
     */
    public InvalidOptionException(String option, Object value, String requirement, @Nullable Throwable cause) {
        super(option + " is " + value + ": " + requirement, cause);
        this.option = requireNonNull(option, "option");
        this.value = value.toString();
        this.requirement = requireNonNull(requirement, "requirement");
    }

    /**
     * Returns the option.
     *
     * @return the name of the builder's method
     */
    public String option() {
        return option;
    }

    /**
     * Returns the value that was refused.
     *
     * @return the value as a text
     */
    public String value() {
        return value;
    }

    /**
     * Returns what the value must be.
     *
     * @return the requirement and the remedy, without the option and the value
     */
    public String requirement() {
        return requirement;
    }
}

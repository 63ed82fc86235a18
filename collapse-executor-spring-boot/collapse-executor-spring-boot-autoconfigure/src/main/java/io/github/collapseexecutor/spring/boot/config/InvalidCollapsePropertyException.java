package io.github.collapseexecutor.spring.boot.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Says that a value under {@code collapse.executor} cannot work, so that the start ends with a message that a user can act upon. */
public final class InvalidCollapsePropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final List<ChronoUnit> UNITS =
            List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS, ChronoUnit.MILLIS);

    // immutable
    private final String property;
    private final String value;
    private final String reason;
    private final String action;

    public InvalidCollapsePropertyException(String property, Object value, String reason, String action) {
        this(property, value, reason, action, null);
    }

    public InvalidCollapsePropertyException(
            String property, Object value, String reason, String action, @Nullable Throwable cause) {
        super("property " + property + ", value \"" + written(value) + "\": " + sentence(reason) + " " + action, cause);
        this.property = property;
        this.value = written(value);
        this.reason = reason;
        this.action = action;
    }

    private static String sentence(String reason) {
        return reason.endsWith("?") ? reason : reason + ".";
    }

    /** A value as it stands in YAML: a duration with its unit, and not as {@code PT5S}. */
    private static String written(Object value) {
        if (!(value instanceof Duration duration)) {
            return value.toString();
        }
        return duration.isZero()
                ? "0"
                : UNITS.stream()
                        .filter(unit -> duration.equals(duration.truncatedTo(unit)))
                        .findFirst()
                        .map(unit -> DurationStyle.SIMPLE.print(duration, unit))
                        .orElseGet(duration::toString);
    }

    public String property() {
        return property;
    }

    String value() {
        return value;
    }

    public String reason() {
        return reason;
    }

    public String action() {
        return action;
    }
}

package io.github.collapseexecutor.spring.jdbc;

import io.github.collapseexecutor.jdbc.ParameterSetter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.SqlTypeValue;
import org.springframework.jdbc.support.SqlValue;

/** Arguments as a {@code JdbcTemplate} takes them. */
final class TemplateArguments {

    private TemplateArguments() {}

    /**
     * Returns what sets them. Values that mean to JDBC what they mean to Spring stay values, by which a {@code GroupCommit} can send many rows
     * as one statement; with any other among them, Spring sets them all.
     */
    static ParameterSetter setter(@Nullable Object[] arguments) {
        return Arrays.stream(arguments).anyMatch(TemplateArguments::isForSpring)
                ? new ArgumentPreparedStatementSetter(arguments.clone())::setValues
                : ParameterSetter.of(arguments);
    }

    private static boolean isForSpring(@Nullable Object argument) {
        return argument instanceof SqlParameterValue
                || argument instanceof SqlTypeValue
                || argument instanceof SqlValue
                || argument instanceof StringBuilder
                || argument instanceof StringBuffer
                || argument instanceof StringWriter
                || argument instanceof Calendar
                || (argument != null && argument.getClass() == Date.class);
    }
}

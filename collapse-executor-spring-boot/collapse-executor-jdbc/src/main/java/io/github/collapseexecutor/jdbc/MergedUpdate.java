package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How the parts that several callers have in the update of one row become one statement; immutable.
 *
 * <pre>{@code
 * MergedUpdate<Long, Integer> deduction = MergedUpdate.of(
 *         "UPDATE inventory SET balance = balance - ? WHERE goods_id = ? AND balance >= ?",
 *         (statement, goodsId, count) -> {
 *             statement.setInt(1, count);
 *             statement.setLong(2, goodsId);
 *             statement.setInt(3, count);
 *         },
 *         Math::addExact);
 * }</pre>
 *
 * <p>The statement has to hold its own condition and to change the row if that holds: what it changes is what counts. So it
 * is right whatever else writes to the row.
 *
 * @param <KEY> says which row, with {@code equals} and {@code hashCode}
 * @param <PART> what a caller wants of it, for example a number of pieces
 */
public final class MergedUpdate<KEY, PART> {

    /**
     * Sets the parameters of the update; called as a {@link ParameterSetter} is.
     *
     * @param <KEY> says which row
     * @param <PART> what is wanted of it
     */
    @FunctionalInterface
    public interface Parameters<KEY, PART> {

        /**
         * Sets the parameters.
         *
         * @param statement the update, with no parameter set
         * @param key which row
         * @param part one caller's part, or that of several combined
         * @throws SQLException if a parameter cannot be set
         */
        void set(PreparedStatement statement, KEY key, PART part) throws SQLException;
    }

    /**
     * Sets the parameters of the query for a row's state.
     *
     * @param <KEY> says which row
     */
    @FunctionalInterface
    public interface KeyParameters<KEY> {

        /**
         * Sets the parameters.
         *
         * @param statement the query, with no parameter set
         * @param key which row
         * @throws SQLException if a parameter cannot be set
         */
        void set(PreparedStatement statement, KEY key) throws SQLException;
    }

    /**
     * Reads a row's state as what fits it.
     *
     * @param <PART> what is wanted of it
     */
    @FunctionalInterface
    public interface StateReader<PART> {

        /**
         * Reads the state.
         *
         * @param row stands on the first row of the query's result
         * @return whether the update would take a part, or several combined, in this state
         * @throws SQLException if it cannot be read
         */
        Predicate<PART> read(ResultSet row) throws SQLException;
    }

    /** The query for a row's state. */
    record State<KEY, PART>(String sql, KeyParameters<KEY> parameters, StateReader<PART> reader) {}

    // immutable
    private final RowStatement statement;
    private final Parameters<KEY, PART> parameters;
    private final BinaryOperator<PART> combine;
    private final @Nullable State<KEY, PART> state;

    private MergedUpdate(
            RowStatement statement,
            Parameters<KEY, PART> parameters,
            BinaryOperator<PART> combine,
            @Nullable State<KEY, PART> state) {
        this.statement = statement;
        this.parameters = parameters;
        this.combine = combine;
        this.state = state;
    }

    /**
     * Takes an update.
     *
     * @param sql one conditional UPDATE of one row; a part is refused if it changes none
     * @param parameters sets the update's parameters
     * @param combine makes one part of two, the earlier first; it changes neither, and the parts of a row may be
     *     combined more than once. If it throws, or numbers overflow or are of both signs, the row's parts are written one by
     *     one, in order
     * @param <KEY> says which row
     * @param <PART> what a caller wants of it
     * @return the update, whose state is not read
     * @throws IllegalArgumentException if the SQL is blank
     */
    public static <KEY, PART> MergedUpdate<KEY, PART> of(
            String sql, Parameters<KEY, PART> parameters, BinaryOperator<PART> combine) {
        return new MergedUpdate<>(
                RowStatement.of(sql),
                requireNonNull(parameters, "parameters"),
                requireNonNull(combine, "combine"),
                null);
    }

    /**
     * Says how to read what fits a row, so that a merged part that is refused is divided by one query and one more update.
     * Without it each part becomes an update of its own then, in the same transaction.
     *
     * @param sql a query for the row's state
     * @param parameters sets the query's parameters
     * @param reader says what fits the state
     * @return an update that reads the state
     */
    public MergedUpdate<KEY, PART> reading(String sql, KeyParameters<KEY> parameters, StateReader<PART> reader) {
        if (requireNonNull(sql, "sql").isBlank()) {
            throw new IllegalArgumentException("sql is blank: give the query for the row's state, or leave it out");
        }
        return new MergedUpdate<>(
                statement,
                this.parameters,
                combine,
                new State<>(sql, requireNonNull(parameters, "parameters"), requireNonNull(reader, "reader")));
    }

    RowStatement statement() {
        return statement;
    }

    ParameterSetter row(KEY key, PART part) {
        return prepared -> parameters.set(prepared, key, part);
    }

    PART combine(PART earlier, PART later) {
        return requireNonNull(combine.apply(earlier, later), "combine returned null");
    }

    @Nullable State<KEY, PART> state() {
        return state;
    }
}

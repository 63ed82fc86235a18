package io.github.collapseexecutor.jdbc.sequence;

import io.github.collapseexecutor.jdbc.connection.DatabaseProduct;
import io.github.collapseexecutor.sequence.SequenceException;
import io.github.collapseexecutor.sequence.UnknownSequenceException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a database knows of a sequence that decides whether its numbers increase and never repeat.
 * Public for other packages of the library only.
 *
 * @param increment the difference between two numbers
 * @param cycles whether it begins anew at its end
 * @param connectionCache how many numbers a connection keeps in store for itself; 1 if it keeps none
 */
public record SequenceProperties(long increment, boolean cycles, long connectionCache) {

    /** Undefined table, as PostgreSQL and MariaDB say it; not found, as H2 does for a schema and for a sequence. */
    private static final Set<String> UNKNOWN_STATES = Set.of("42P01", "3F000", "42S02", "90036", "90079");

    public static SequenceProperties of(Connection connection, DatabaseProduct product, String sequence)
            throws SQLException {
        try {
            return switch (product) {
                case POSTGRESQL ->
                    query(
                            connection,
                            sequence,
                            "SELECT seqincrement, seqcycle, seqcache FROM pg_sequence WHERE seqrelid = ?::regclass",
                            sequence);
                case H2 -> ofH2(connection, sequence);
                default -> query(connection, sequence, "SELECT increment, cycle_option, 1 FROM " + sequence);
            };
        } catch (SQLException failure) {
            if (isUnknown(failure)) {
                throw unknown(sequence, failure);
            }
            throw failure;
        }
    }

    /** H2 keeps names as it folds them, and its cache is one for all connections. */
    private static SequenceProperties ofH2(Connection connection, String sequence) throws SQLException {
        int dot = sequence.indexOf("\".") + 1;
        if (dot == 0 && sequence.charAt(0) != '"') {
            dot = sequence.indexOf('.');
        }
        DatabaseMetaData metaData = connection.getMetaData();
        return query(
                connection,
                sequence,
                "SELECT INCREMENT, CYCLE_OPTION = 'YES', 1 FROM INFORMATION_SCHEMA.SEQUENCES"
                        + " WHERE SEQUENCE_NAME = ? AND SEQUENCE_SCHEMA = COALESCE(?, CURRENT_SCHEMA)",
                folded(metaData, sequence.substring(dot <= 0 ? 0 : dot + 1)),
                dot <= 0 ? null : folded(metaData, sequence.substring(0, dot)));
    }

    private static String folded(DatabaseMetaData metaData, String name) throws SQLException {
        if (name.charAt(0) == '"') {
            return name.substring(1, name.length() - 1);
        }
        if (metaData.storesUpperCaseIdentifiers()) {
            return name.toUpperCase(Locale.ROOT);
        }
        return metaData.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
    }

    private static SequenceProperties query(
            Connection connection, String sequence, String query, @Nullable String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw unknown(sequence, null);
                }
                return new SequenceProperties(row.getLong(1), row.getBoolean(2), row.getLong(3));
            }
        }
    }

    public void check(String name) {
        if (cycles) {
            throw refused(name, "cyclic, so that its numbers repeat", "NO CYCLE");
        }
        if (increment < 0) {
            throw refused(name, "descending (INCREMENT BY " + increment + ")", "INCREMENT BY 1");
        }
        if (connectionCache > 1) {
            throw refused(
                    name,
                    "cached for each connection (CACHE " + connectionCache
                            + "), so that its numbers do not increase from one connection to the next",
                    "CACHE 1");
        }
    }

    private static SequenceException refused(String name, String why, String remedy) {
        return new SequenceException(
                "Sequence '" + name + "' is " + why + ": ALTER SEQUENCE " + name + " " + remedy + ", or take another");
    }

    public static boolean isUnknown(SQLException failure) {
        return UNKNOWN_STATES.contains(String.valueOf(failure.getSQLState()));
    }

    public static UnknownSequenceException unknown(String name, @Nullable SQLException failure) {
        return new UnknownSequenceException(
                "There is no sequence '" + name + "' in the database: CREATE SEQUENCE " + name, failure);
    }
}

package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.jdbc.connection.DatabaseProduct;
import io.github.collapseexecutor.jdbc.sequence.SequenceConnections;
import io.github.collapseexecutor.jdbc.sequence.SequenceName;
import io.github.collapseexecutor.jdbc.sequence.SequenceProperties;
import io.github.collapseexecutor.sequence.SequenceException;
import io.github.collapseexecutor.sequence.SequenceSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * The sequences of a database ({@code CREATE SEQUENCE}), from which one statement takes the numbers of all callers.
 *
 * <pre>{@code
 * Sequences sequences = Sequences.of(new DatabaseSequences(dataSource));
 * long id = sequences.next("order_id");
 * }</pre>
 *
 * <p>For H2, PostgreSQL and MariaDB. A name is a name as in SQL: {@code order_id}, {@code shop.order_id}, or in the
 * database's quotes. The numbers are those that the database gives: its start, its increment, its gaps; others may take
 * numbers of the same sequence meanwhile.
 *
 * <p>A sequence that could not keep the promise of {@link SequenceSource} is refused when it is first used, which takes a
 * query more: one that is cyclic (it repeats), that has a negative increment (it does not increase), or on PostgreSQL a
 * cache of more than 1 (each connection has numbers of its own in store, so that they do not increase from one to the
 * next; nobody needs that cache where one statement takes the numbers of many). If a sequence ends before a batch has all
 * its numbers, the batch fails with what the database says, and the last numbers are lost.
 *
 * <p><b>Failure.</b> A lost connection, a deadlock, a serialization failure and a lock that does not come in time are tried
 * again, after a random pause, up to ten times and for ten seconds: what a failed attempt took leaves a gap. At {@code
 * REPEATABLE READ} or {@code SERIALIZABLE} of H2 and PostgreSQL another attempt runs at {@code READ COMMITTED}, which is as
 * right for its one statement. Any other failure reaches the callers at once. So does that of a database that is silent for
 * two minutes, on a connection that has no network time-out of its own.
 *
 * <p>Instances are thread-safe. Each call takes a connection from the data source, on a thread of the library's own, so that
 * no transaction of a caller has a part in it, not even a global one of JTA, and one round trip.
 */
public final class DatabaseSequences implements SequenceSource {

    // immutable
    private final SequenceConnections connections;

    // mutable
    /** Names that were found to increase and not to repeat. */
    private final Set<String> checked = ConcurrentHashMap.newKeySet();

    /**
     * Creates the source.
     *
     * @param dataSource the database; best a pool of its own, with one connection for each sequence
     */
    public DatabaseSequences(DataSource dataSource) {
        this(new SequenceConnections(dataSource));
    }

    DatabaseSequences(SequenceConnections connections) {
        this.connections = connections;
    }

    @Override
    public DataSource dataSource() {
        return connections.dataSource();
    }

    @Override
    public long[] take(String name, int count) throws SQLException, InterruptedException {
        return connections.run((connection, product) -> take(connection, product, name, count));
    }

    private long[] take(Connection connection, DatabaseProduct product, String name, int count) throws SQLException {
        if (!product.hasSequences()) {
            throw new SequenceException(
                    "The database is MySQL, which has no sequences: keep the numbers in a table, with SequenceTable");
        }
        String sequence = SequenceName.checked("name", name, product.quote);
        if (!checked.contains(name)) {
            SequenceProperties.of(connection, product, sequence).check(name);
            checked.add(name);
        }
        try (PreparedStatement statement = connection.prepareStatement(product.sequenceStatement(sequence))) {
            statement.setInt(1, count);
            try (ResultSet rows = statement.executeQuery()) {
                return numbers(rows, name, count);
            }
        } catch (SQLException failure) {
            if (SequenceProperties.isUnknown(failure)) {
                checked.remove(name);
                throw SequenceProperties.unknown(name, failure);
            }
            throw failure;
        }
    }

    private static long[] numbers(ResultSet rows, String name, int count) throws SQLException {
        long[] numbers = new long[count];
        int taken = 0;
        while (taken < count && rows.next()) {
            numbers[taken++] = rows.getLong(1);
        }
        if (taken < count) {
            throw new SequenceException(
                    "Sequence '" + name + "' gave " + taken + " numbers instead of " + count + ": none is used");
        }
        return numbers;
    }
}

package io.github.collapseexecutor.jdbc.connection;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * The database of a data source, with what its driver was told: the same for each of its connections. Public for other packages of the library only.
 *
 * @param url with the driver's options; empty where none of them counts
 * @param mayBeSeveral whether the rows of a transaction may go to several databases, as ShardingSphere sends them: it commits in one after the other,
 *     and tells the keys of a batch database by database, so that nobody knows whose they are
 */
public record ConnectedDatabase(DatabaseProduct product, String url, boolean mayBeSeveral) {

    private static final String SHARDING =
            "org.apache.shardingsphere.driver.jdbc.core.connection.ShardingSphereConnection";

    private static final Pattern SEVERAL_SERVERS = Pattern.compile("(?i):(?:loadbalance|replication):");

    /** Asks a connection. */
    public static ConnectedDatabase of(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        DatabaseProduct product = DatabaseProduct.of(connection);
        String url = product == DatabaseProduct.MARIADB || product == DatabaseProduct.MYSQL
                ? String.valueOf(metaData.getURL())
                : "";
        DatabaseMetaData wrapped = Tried.answer(() -> metaData.unwrap(DatabaseMetaData.class), metaData); // by a pool
        boolean mayBeSeveral =
                isOfShardingSphere(metaData) || isOfShardingSphere(wrapped) || wrapsShardingSphere(connection);
        return new ConnectedDatabase(product, url, mayBeSeveral);
    }

    /** Several parts around it show nothing of its metadata. */
    private static boolean wrapsShardingSphere(Connection connection) {
        try {
            Class<?> type = Class.forName(SHARDING, false, ConnectedDatabase.class.getClassLoader());
            return Tried.answer(() -> connection.isWrapperFor(type), false);
        } catch (ClassNotFoundException isNotThere) {
            return false;
        }
    }

    private static boolean isOfShardingSphere(DatabaseMetaData metaData) {
        return metaData.getClass().getName().startsWith("org.apache.shardingsphere.");
    }

    /**
     * Whether switching automatic commit on is a commit with one round trip, where a commit and that are two. A driver that executes a transaction
     * again over another connection would do so after a switch whose answer was lost, which it does not take for a commit.
     */
    public boolean commitsBySwitching() {
        return product == DatabaseProduct.MARIADB && !url.contains("transactionReplay");
    }

    /**
     * Whether a rollback, also one to a savepoint, may have what follows go to another server: MySQL's driver with several servers chooses one anew
     * then. A statement that was prepared before stays with the first one, and so does what the transaction has written there.
     */
    public boolean choosesServerAfterRollback() {
        return product == DatabaseProduct.MYSQL && SEVERAL_SERVERS.matcher(url).find();
    }

    /**
     * Whether its driver may leave out a rollback behind rows that were returned and a statement that failed: MySQL's does, if it is to know by itself
     * whether there is a transaction.
     */
    public boolean mayLeaveOutRollback() {
        return product == DatabaseProduct.MYSQL && url.contains("useLocalTransactionState");
    }
}

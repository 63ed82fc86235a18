package io.github.collapseexecutor.jdbc.connection;

import static java.util.Objects.requireNonNull;

import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Refuses data sources over which one caller's rows would become another's: what several callers have handed in is written on one thread, over one
 * connection. Public for other packages of the library only.
 */
public final class DataSourceOfOneDatabase {

    private DataSourceOfOneDatabase() {}

    /**
     * Returns a data source that gives each thread a connection of its own, to one database.
     *
     * @throws IllegalArgumentException if it is, or wraps, one of Spring's that asks the calling thread which database is meant, or gives all threads
     *     one connection
     */
    public static DataSource checked(DataSource dataSource) {
        requireNonNull(dataSource, "dataSource");
        if (Tried.answer(() -> dataSource.isWrapperFor(SingleConnectionDataSource.class), false)) {
            throw new IllegalArgumentException(
                    "dataSource is a " + dataSource.getClass().getName()
                            + " that gives all threads one connection, so that a statement of another thread would become part of a batch's transaction,"
                            + " and be committed or rolled back with it: give a data source with several connections, such as a pool");
        }
        if (routes(dataSource)) {
            throw new IllegalArgumentException(
                    "dataSource is a " + dataSource.getClass().getName()
                            + " that asks the calling thread which database is meant, and what is gathered of several callers is done on one thread of the"
                            + " library's: it would go to the database of another caller. Give the data source of one database, and make an object for each");
        }
        return dataSource;
    }

    private static boolean routes(DataSource dataSource) {
        return Tried.answer(() -> dataSource.isWrapperFor(ShardingKeyDataSourceAdapter.class), false)
                || Tried.answer(
                        () -> dataSource.isWrapperFor(AbstractDataSource.class)
                                && isRouting(dataSource.unwrap(AbstractDataSource.class)),
                        false);
    }

    /** Libraries have a class of their own for what Spring's of this name does. */
    private static boolean isRouting(DataSource dataSource) {
        return Stream.<Class<?>>iterate(dataSource.getClass(), type -> type != null, Class::getSuperclass)
                .anyMatch(type -> type.getSimpleName().equals("AbstractRoutingDataSource"));
    }
}

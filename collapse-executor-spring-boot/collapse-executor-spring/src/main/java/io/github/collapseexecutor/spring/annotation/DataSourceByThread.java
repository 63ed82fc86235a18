package io.github.collapseexecutor.spring.annotation;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.util.ClassUtils;

/**
 * Finds data sources that may give each thread a connection of another kind: to another database, as another user, or with something set on it; and those
 * that give all threads one. It
 * looks at a data source and at all that it wraps. Public because other packages of the library use it.
 */
public final class DataSourceByThread {

    private static final boolean SPRING_JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter",
            DataSourceByThread.class.getClassLoader());

    private DataSourceByThread() {}

    /**
     * Looks for a data source that may ask the calling thread which database is meant.
     *
     * @param dataSource where it begins
     * @return its class; null if there is none, or if Spring's data sources are not on the class path
     */
    public static @Nullable Class<?> choosingDatabase(DataSource dataSource) {
        return SPRING_JDBC ? Known.first(dataSource, Known::choosesDatabase) : null;
    }

    /**
     * Looks for a data source that may ask the calling thread whose data is meant: for the database, for the user to log in as, or for what it
     * sets on each connection.
     *
     * @param dataSource where it begins
     * @return its class; null if there is none, or if Spring's data sources are not on the class path
     */
    public static @Nullable Class<?> choosingData(DataSource dataSource) {
        return SPRING_JDBC ? Known.first(dataSource, Known::choosesData) : null;
    }

    /**
     * Looks for a data source that gives all threads one connection.
     *
     * @param dataSource where it begins
     * @return its class; null if there is none, or if Spring's data sources are not on the class path
     */
    public static @Nullable Class<?> sharingOneConnection(DataSource dataSource) {
        return SPRING_JDBC ? Known.first(dataSource, Known::sharesOneConnection) : null;
    }

    /** Apart, because an application may be without spring-jdbc. */
    private static final class Known {

        static @Nullable Class<?> first(DataSource dataSource, Predicate<DataSource> wanted) {
            return withAllThatItWraps(dataSource).stream()
                    .filter(wanted)
                    .findFirst()
                    .<Class<?>>map(ClassUtils::getUserClass)
                    .orElse(null);
        }

        /** From the outside in. */
        private static List<DataSource> withAllThatItWraps(DataSource dataSource) {
            List<DataSource> all = new ArrayList<>();
            Set<DataSource> seen = Collections.newSetFromMap(new IdentityHashMap<>());
            Deque<DataSource> open = new ArrayDeque<>(List.of(dataSource));
            while (!open.isEmpty()) {
                DataSource next = open.remove();
                if (seen.add(next)) {
                    all.add(next);
                    open.addAll(wrappedIn(next));
                }
            }
            return all;
        }

        private static List<DataSource> wrappedIn(DataSource dataSource) {
            List<DataSource> wrapped = new ArrayList<>();
            if (dataSource instanceof DelegatingDataSource wrapper) {
                if (wrapper.getTargetDataSource() != null) {
                    wrapped.add(wrapper.getTargetDataSource());
                }
            } else if (!(dataSource instanceof AbstractDataSource)) {
                addUnwrapped(dataSource, DataSource.class, wrapped);
                addUnwrapped(dataSource, AbstractDataSource.class, wrapped);
                addUnwrapped(dataSource, DelegatingDataSource.class, wrapped);
            }
            return wrapped;
        }

        /** A pool or a proxy does not show what is behind it, and may say so when it is asked. */
        private static void addUnwrapped(
                DataSource dataSource, Class<? extends DataSource> type, List<DataSource> wrapped) {
            try {
                if (dataSource.isWrapperFor(type)) {
                    wrapped.add(dataSource.unwrap(type));
                }
            } catch (SQLException | RuntimeException unknown) {
                // such a pool says nothing of what it wraps
            }
        }

        /** One that finds its connections in a way of its own is Spring's to choose by the thread, or a library's. */
        static boolean choosesDatabase(DataSource dataSource) {
            return routes(dataSource)
                    || (dataSource instanceof AbstractDataSource
                            && !(dataSource instanceof AbstractDriverBasedDataSource));
        }

        static boolean choosesData(DataSource dataSource) {
            return routes(dataSource)
                    || dataSource instanceof UserCredentialsDataSourceAdapter
                    || isOfAnApplication(dataSource);
        }

        static boolean sharesOneConnection(DataSource dataSource) {
            return dataSource instanceof SingleConnectionDataSource;
        }

        private static boolean routes(DataSource dataSource) {
            return dataSource instanceof ShardingKeyDataSourceAdapter || isRouting(dataSource.getClass());
        }

        /** Libraries have a class of their own for what Spring's of this name does. */
        private static boolean isRouting(@Nullable Class<?> type) {
            return type != null
                    && (type.getSimpleName().equals("AbstractRoutingDataSource") || isRouting(type.getSuperclass()));
        }

        /** Of an application, or of a library: it finds connections in a way of its own, or does something to each. */
        private static boolean isOfAnApplication(DataSource dataSource) {
            return (dataSource instanceof AbstractDataSource || dataSource instanceof DelegatingDataSource)
                    && !ClassUtils.getUserClass(dataSource).getName().startsWith("org.springframework.");
        }
    }
}

package io.github.collapseexecutor.hibernate;

import io.github.collapseexecutor.sequence.Sequences;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The {@link Sequences} beans: made by Spring, which Hibernate asks for it. With one data source, the bean is looked up when the first number is
 * asked for. With several, the one of the entities' database is looked for at the start.
 */
record SpringSequences(ListableBeanFactory beans, ObjectProvider<Sequences> bean) implements Supplier<Sequences> {

    boolean haveSeveralDatabases() {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false).length > 1;
    }

    @Override
    public Sequences get() {
        return bean.getObject();
    }

    /**
     * Returns the sequences of a database.
     *
     * @param url what connections to it say of themselves
     * @return the bean; null if there is none, or several of which none is primary
     * @throws SQLException if the database of a bean does not answer
     */
    @Nullable Sequences of(String url) throws SQLException {
        List<Sequences> own = new ArrayList<>();
        for (Sequences candidate : bean.stream().toList()) {
            DataSource dataSource = candidate.dataSource();
            if (dataSource != null) {
                try (Connection connection = dataSource.getConnection()) {
                    if (url.equals(connection.getMetaData().getURL())) {
                        own.add(candidate);
                    }
                }
            }
        }
        Sequences primary = bean.getIfUnique();
        return own.size() == 1 ? own.get(0) : own.contains(primary) ? primary : null;
    }
}

package io.github.collapseexecutor.spring.boot.writes;

import io.github.collapseexecutor.spring.annotation.DataSourceByThread;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.NearestName;
import io.github.collapseexecutor.spring.boot.config.TestSlice;
import java.util.List;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.core.env.Environment;

/**
 * Finds data sources by the names of their beans, and has them outlive the bean that uses them.
 *
 * @param beans where they are looked for
 * @param user the name of the bean that uses them, which is destroyed before them
 */
record DataSources(ConfigurableListableBeanFactory beans, String user) {

    private static final Log logger = LogFactory.getLog(DataSources.class);

    /**
     * Refuses a name that no bean has, and makes none. Whether the bean is a data source shows when it is made. In a slice of a test, the rest of
     * the application may have it.
     */
    void check(String property, @Nullable String name) {
        if (name == null || beans.containsBean(name) || isSlice()) {
            return;
        }
        List<String> known = List.of(beans.getBeanNamesForType(DataSource.class, true, false));
        throw new InvalidCollapsePropertyException(
                property,
                name,
                "there is no DataSource bean of this name" + NearestName.question(name, known),
                known.isEmpty()
                        ? "Define the data source."
                        : "Name one of " + String.join(", ", known)
                                + ", or remove the property to use the only or primary one.");
    }

    private boolean isSlice() {
        return TestSlice.isIn(beans.getBean(Environment.class));
    }

    /**
     * Returns the data source of a name; for null, and in a slice of a test that does not have it, the only or primary one. Warns of one
     * that may set the tenant or user of each connection by the calling thread.
     *
     * @param property the property that may name it
     * @throws IllegalStateException if there is none, or several of which none is primary, or if it is one that may ask the calling
     *     thread which database is meant, or gives all threads one connection
     */
    DataSource named(String property, @Nullable String name) {
        if (name != null && (beans.containsBean(name) || !isSlice())) {
            return used(property, name, beans.getBean(name, DataSource.class));
        }
        try {
            NamedBeanHolder<DataSource> only = beans.resolveNamedBean(DataSource.class);
            return used(property, only.getBeanName(), only.getBeanInstance());
        } catch (NoUniqueBeanDefinitionException e) {
            throw new IllegalStateException(
                    "There are several data sources (" + e.getBeanNamesFound() + "), and none is primary: name one as "
                            + property,
                    e);
        } catch (NoSuchBeanDefinitionException e) {
            throw new IllegalStateException(
                    "There is no DataSource bean: define one, for example by spring.datasource.url", e);
        }
    }

    /**
     * Has every data source bean outlive the user. Which of them it uses does not always show: what an application hands in may wrap one.
     */
    void outliveUser() {
        List.of(beans.getBeanNamesForType(DataSource.class, true, false))
                .forEach(name -> beans.registerDependentBean(name, user));
    }

    private DataSource used(String property, String name, DataSource dataSource) {
        Class<?> choosing = DataSourceByThread.choosingDatabase(dataSource);
        if (choosing != null) {
            throw new IllegalStateException("The data source " + name
                    + " asks the calling thread which database is meant (" + choosing.getName()
                    + "), or may do so, and what is gathered of several callers is done on one thread: it would go to the database"
                    + " of another caller. Name the data source of one database as " + property
                    + ", or make an object for each database in code.");
        }
        Class<?> sharing = DataSourceByThread.sharingOneConnection(dataSource);
        if (sharing != null) {
            throw new IllegalStateException(
                    "The data source " + name + " gives all threads one connection (" + sharing.getName()
                            + "), so that a statement of another thread would become part of a batch's transaction, and be rolled back with"
                            + " it. Name a data source with connections of their own as " + property + ".");
        }
        Class<?> telling = DataSourceByThread.choosingData(dataSource);
        if (telling != null) {
            logger.warn("The data source " + name + " may look at the thread to which it gives a connection ("
                    + telling.getName()
                    + "), for example to set its tenant or to log in as its user. What is gathered of several"
                    + " callers is done on one thread, which knows nothing of them. If the class looks at the thread, name another"
                    + " data source as " + property + ". If not, silence this line: logging.level."
                    + DataSources.class.getName() + "=error");
        }
        return dataSource;
    }
}

package io.github.collapseexecutor.spring.boot;

import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/** Finds data sources by the names of their beans, and has them outlive the bean that uses them. */
final class DataSources {

    private static final boolean ROUTING = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource", DataSources.class.getClassLoader());

    // immutable
    private final ConfigurableListableBeanFactory beans;
    private final String user;

    /**
     * @param beans where they are looked for
     * @param user the name of the bean that uses them, which is destroyed before them
     */
    DataSources(ConfigurableListableBeanFactory beans, String user) {
        this.beans = beans;
        this.user = user;
    }

    /** Refuses a name that no bean has, and makes none. Whether the bean is a data source shows when it is made. */
    void check(String property, @Nullable String name) {
        if (name == null || beans.containsBean(name)) {
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

    /**
     * Returns the data source of a name; for null the only or primary one.
     *
     * @param property the property that may name it
     * @throws IllegalStateException if there is none, or several of which none is primary, or if it is one that may ask the calling
     *     thread which database is meant
     */
    DataSource named(String property, @Nullable String name) {
        if (name != null) {
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
        Class<?> choosing = ROUTING ? Routing.choosing(dataSource) : null;
        if (choosing != null) {
            throw new IllegalStateException("The data source " + name
                    + " asks the calling thread which database is meant (" + choosing.getName()
                    + "), or may do so, and what is gathered of several callers is done on one thread: it would go to the database"
                    + " of another caller. Name the data source of one database as " + property
                    + ", or make an object for each database in code.");
        }
        return dataSource;
    }

    /** Apart, because an application may be without spring-jdbc. */
    private static final class Routing {

        private Routing() {}

        /**
         * Looks for the class that chooses, in a data source and in those that it wraps. One that finds its connections in a way of its own is
         * Spring's to choose by the thread, or a library's.
         */
        static @Nullable Class<?> choosing(DataSource dataSource) {
            if (routes(dataSource.getClass())
                    || (dataSource instanceof AbstractDataSource
                            && !(dataSource instanceof AbstractDriverBasedDataSource))) {
                return ClassUtils.getUserClass(dataSource);
            }
            if (dataSource instanceof DelegatingDataSource wrapper && wrapper.getTargetDataSource() != null) {
                return choosing(wrapper.getTargetDataSource());
            }
            try {
                return dataSource.isWrapperFor(AbstractRoutingDataSource.class)
                        ? AbstractRoutingDataSource.class
                        : null;
            } catch (SQLException | RuntimeException unknown) {
                return null;
            }
        }

        /** Libraries have a class of their own for what Spring's of this name does. */
        private static boolean routes(@Nullable Class<?> type) {
            return type != null
                    && (type.getSimpleName().equals("AbstractRoutingDataSource") || routes(type.getSuperclass()));
        }
    }
}

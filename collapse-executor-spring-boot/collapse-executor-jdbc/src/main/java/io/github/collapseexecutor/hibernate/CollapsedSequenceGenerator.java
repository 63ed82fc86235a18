package io.github.collapseexecutor.hibernate;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.sequence.Sequences;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.hibernate.MappingException;
import org.hibernate.cfg.ManagedBeanSettings;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.IdentifierGenerationException;
import org.hibernate.resource.beans.spi.ManagedBeanRegistry;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/** Takes the ids that {@link CollapsedSequence} asks for; made by Hibernate. */
public final class CollapsedSequenceGenerator
        implements BeforeExecutionGenerator, AnnotationBasedGenerator<CollapsedSequence> {

    /** The setting of Hibernate that holds the {@link Sequences}, where Spring does not. */
    public static final String SEQUENCES = "io.github.collapseexecutor.sequences";

    private static final String REMEDY =
            "Define a bean Sequences.of(new DatabaseSequences(dataSource)) with the data source of"
                    + " that database; or put such an object under " + SEQUENCES
                    + " into the settings of the session factory, by"
                    + " setJpaPropertyMap of its LocalContainerEntityManagerFactoryBean.";

    private static final long serialVersionUID = 1L;

    private static final Set<Class<?>> LONGS = Set.of(long.class, Long.class);
    private static final Set<Class<?>> INTS = Set.of(int.class, Integer.class);

    // mutable, written once by the thread that makes the session factory, before others see it
    /** The sequence's name. */
    private String name = "";

    /** Whether ids are ints, not longs. */
    private boolean isInt;

    private transient @Nullable Supplier<Sequences> sequences;

    /** Created by Hibernate. */
    public CollapsedSequenceGenerator() {}

    /**
     * Called by Hibernate.
     *
     * @throws MappingException if the id has another type than a number, or nothing says where numbers come from
     */
    @Override
    public void initialize(CollapsedSequence annotation, Member member, GeneratorCreationContext context) {
        Class<?> type = member instanceof Field field ? field.getType() : ((Method) member).getReturnType();
        if (!LONGS.contains(type) && !INTS.contains(type)) {
            throw new MappingException("@CollapsedSequence is at " + member + ", whose type is " + type.getName()
                    + ": it must be long, int, Long or Integer");
        }
        name = annotation.value();
        isInt = INTS.contains(type);
        sequences = sequences(context.getServiceRegistry());
    }

    private static Supplier<Sequences> sequences(ServiceRegistry services) {
        Object setting = services.requireService(ConfigurationService.class)
                .getSettings()
                .get(SEQUENCES);
        if (setting instanceof Sequences configured) {
            return () -> configured;
        }
        ManagedBeanRegistry beans = services.requireService(ManagedBeanRegistry.class);
        if (setting != null || beans.getBeanContainer() == null) {
            throw new MappingException("There are no numbers for @CollapsedSequence: the setting " + SEQUENCES + " is "
                    + setting + ", and must be a " + Sequences.class.getName()
                    + "; or give Hibernate the beans of Spring, as Spring Boot does: put a SpringBeanContainer under "
                    + ManagedBeanSettings.BEAN_CONTAINER + " into the settings, by setJpaPropertyMap of the"
                    + " LocalContainerEntityManagerFactoryBean");
        }
        ConnectionProvider connections = services.getService(ConnectionProvider.class);
        if (connections == null) {
            throw new MappingException("Each tenant of this session factory has connections of its own ("
                    + MultiTenantConnectionProvider.class.getSimpleName()
                    + "), and a Sequences bean has those of one database: ids of @CollapsedSequence would be of that one's sequence for"
                    + " all tenants. If one sequence counts for all of them, put its Sequences under " + SEQUENCES
                    + " into the settings of the session factory; else use @SequenceGenerator.");
        }
        SpringSequences spring = beans.getBean(SpringSequences.class).getBeanInstance();
        return spring.haveSeveralDatabases() ? ofDatabase(connections, spring) : spring;
    }

    private static Supplier<Sequences> ofDatabase(ConnectionProvider connections, SpringSequences spring) {
        Sequences own;
        try {
            own = spring.of(url(connections));
        } catch (SQLException e) {
            throw new MappingException(
                    "There are several data sources, and one that did not answer, so that nobody knows"
                            + " which Sequences bean takes numbers for @CollapsedSequence. " + REMEDY,
                    e);
        }
        if (own == null) {
            throw new MappingException(
                    "There are several data sources, and not one Sequences bean whose numbers are of the"
                            + " database of this session factory: ids of @CollapsedSequence would be those of another database. "
                            + REMEDY);
        }
        return () -> own;
    }

    /** What connections to the session factory's database say of themselves. */
    private static String url(ConnectionProvider connections) throws SQLException {
        Connection connection = connections.getConnection();
        try {
            return connection.getMetaData().getURL();
        } finally {
            connections.closeConnection(connection);
        }
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        long number = next();
        if (!isInt) {
            return number;
        }
        if (number != (int) number) {
            throw new IdentifierGenerationException(
                    "Sequence '" + name + "' is at " + number + ", which is no int: make the id a long");
        }
        return (int) number;
    }

    private long next() {
        try {
            return requireNonNull(sequences, "initialize has not been called")
                    .get()
                    .next(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdentifierGenerationException("Interrupted while waiting for a number of '" + name + "'", e);
        }
    }
}

package io.github.collapseexecutor.spring.boot.writes;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.MergedUpdate;
import io.github.collapseexecutor.jdbc.MergedUpdates;
import io.github.collapseexecutor.jdbc.WriteOptions;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.NearestName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Makes writers of rows that are configured by their names: a bean of every application.
 *
 * <pre>{@code
 * @Bean
 * MergedUpdates<Long, Integer> stock(NamedWriters writers) {
 *     return writers.mergedUpdates("stock", deduction);
 * }
 * }</pre>
 *
 * <p>A name under {@code collapse.executor.writers} that no bean has is that of a bean of type {@link GroupCommit}, for {@code
 * @Qualifier("orders")}. Where the application has one data source, or a primary one, there is a {@link GroupCommit} bean for it without a
 * line of configuration; its name is {@value #DEFAULT}.
 *
 * <p>A writer takes its connections from the data source that its section names, else from that one. It is told to meters where there are
 * any, and to every {@link io.github.collapseexecutor.jdbc.WriteListener} bean. With {@code collapse.executor.enabled: false}, each row is a
 * batch of its own.
 *
 * <p>The writers are closed with the context: after the beans that depend on this one, before the data sources that are beans. Rows that were handed
 * in have 30 seconds to be written. All methods are thread-safe.
 */
public final class NamedWriters implements SmartInitializingSingleton {

    private static final Log logger = LogFactory.getLog(NamedWriters.class);

    private static final Duration DRAIN = Duration.ofSeconds(30);

    /** The name of the writer that needs no configuration. */
    static final String DEFAULT = "group-commit";

    /** A writer that was made. */
    private record Made(String name, CollapseExecutor writer) {}

    // immutable
    private final Map<String, CollapseExecutorProperties.Writer> sections;
    private final WriterOptionsReader options;
    private final DataSources dataSources;
    private final ObservedWriters observed;
    private final boolean lazy;

    // mutable, thread-safe
    private final List<Made> all = new CopyOnWriteArrayList<>();

    /**
     * Reads all sections: what is wrong must stop the start.
     *
     * @param lazy whether beans are made when they are asked for, or not all are there, so that nobody knows at the start which sections are
     *     used
     */
    NamedWriters(
            CollapseExecutorProperties properties, DataSources dataSources, ObservedWriters observed, boolean lazy) {
        this.sections = properties.writers();
        this.options = new WriterOptionsReader(properties);
        this.dataSources = dataSources;
        this.observed = observed;
        this.lazy = lazy;
        sections.forEach((name, section) -> {
            WriteOptions.Builder unused = options.of(name);
            dataSources.check(WriterOptionsReader.dataSourceOf(name), section.dataSource());
        });
    }

    /**
     * Makes a writer of rows for the data source that its section names, else for the only or primary one.
     *
     * @param name its name, by which properties and meters know it; it should be one of a fixed set
     * @return a writer
     * @throws IllegalStateException if no section names a data source, and the application has none, or several of which none is primary
     */
    public GroupCommit groupCommit(String name) {
        return groupCommit(name, dataSource(name));
    }

    /**
     * Makes a writer of rows for a data source.
     *
     * @param name its name, by which properties and meters know it; it should be one of a fixed set
     * @param dataSource gives connections to the target, best from a pool
     * @return a writer
     */
    public GroupCommit groupCommit(String name, DataSource dataSource) {
        GroupCommit writer = new GroupCommit(requireNonNull(dataSource, "dataSource"), optionsOf(name));
        dataSources.outliveUser();
        return made(name, writer);
    }

    /**
     * Makes a writer of merged updates for the data source that its section names, else for the only or primary one.
     *
     * @param name its name, by which properties and meters know it; it should be one of a fixed set
     * @param update how parts become one statement
     * @param <KEY> says which row
     * @param <PART> what a caller wants of it
     * @return a writer
     * @throws IllegalStateException if no section names a data source, and the application has none, or several of which none is primary
     */
    public <KEY, PART> MergedUpdates<KEY, PART> mergedUpdates(String name, MergedUpdate<KEY, PART> update) {
        return mergedUpdates(name, update, dataSource(name));
    }

    /**
     * Makes a writer of merged updates for a data source.
     *
     * @param name its name, by which properties and meters know it; it should be one of a fixed set
     * @param update how parts become one statement
     * @param dataSource gives connections to the target, best from a pool
     * @param <KEY> says which row
     * @param <PART> what a caller wants of it
     * @return a writer
     */
    public <KEY, PART> MergedUpdates<KEY, PART> mergedUpdates(
            String name, MergedUpdate<KEY, PART> update, DataSource dataSource) {
        requireNonNull(update, "update");
        MergedUpdates<KEY, PART> writer =
                new MergedUpdates<>(requireNonNull(dataSource, "dataSource"), update, optionsOf(name));
        dataSources.outliveUser();
        return made(name, writer);
    }

    /** Makes a bean of its name. */
    GroupCommit named(String name) {
        return groupCommit(name);
    }

    private DataSource dataSource(String name) {
        CollapseExecutorProperties.Writer section = sections.get(requireNonNull(name, "name"));
        return dataSources.named(WriterOptionsReader.dataSourceOf(name), section == null ? null : section.dataSource());
    }

    private WriteOptions optionsOf(String name) {
        return options.of(requireNonNull(name, "name"))
                .writeListener(observed.listener())
                .build();
    }

    private <W extends CollapseExecutor> W made(String name, W writer) {
        all.add(new Made(name, writer));
        observed.made(name, writer);
        return writer;
    }

    /** Warns of each section that is that of no writer, once all beans exist. */
    @Override
    public void afterSingletonsInstantiated() {
        if (lazy) {
            return;
        }
        Set<String> known = new TreeSet<>(Set.of(DEFAULT));
        all.forEach(made -> known.add(made.name()));
        sections.keySet().stream().filter(name -> !isMade(name)).forEach(name -> {
            String question = known.contains(name) ? "" : NearestName.question(name, known);
            logger.warn(WriterOptionsReader.propertyOf(name) + " configures nothing: no writer has this name"
                    + (question.isEmpty() ? "." : question)
                    + " Inject the bean of this name, make the writer by NamedWriters, or remove the property.");
        });
    }

    private boolean isMade(String name) {
        return all.stream().anyMatch(made -> made.name().equals(name));
    }

    void close() {
        long deadline = System.nanoTime() + DRAIN.toNanos();
        for (Made made : all) {
            boolean unused = made.writer().close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
    }
}

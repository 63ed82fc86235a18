package io.github.collapseexecutor.spring.boot.writes;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.jdbc.DatabaseSequences;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.SequenceTable;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.config.BeansByName;
import io.github.collapseexecutor.spring.boot.config.BoundProperties;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.TestSlice;
import io.github.collapseexecutor.spring.jdbc.GroupCommitTemplate;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Turns {@code collapse.executor.writers} into {@link GroupCommit} beans, and {@code collapse.executor.sequences} into a {@link Sequences}
 * bean, on Spring Boot 3.5 and 4.x.
 *
 * <pre>{@code
 * collapse:
 *   executor:
 *     writers:
 *       group-commit: # the one of the only or primary data source, which needs no section
 *         max-batch-size: 200
 *       audit:        # @Qualifier("audit") GroupCommit
 *         data-source: auditDataSource
 *     sequences:
 *       table: id_sequence
 * }</pre>
 *
 * <p>Where there is a {@code JdbcTemplate}, there is a {@link GroupCommitTemplate}, which writes as that one does and through the {@code
 * GroupCommit} bean. Beans of the application's own of these types take their places. All of them are made when somebody asks for them,
 * and connect when they are used.
 */
@AutoConfiguration(
        after = CollapseExecutorAutoConfiguration.class,
        afterName = {
            // Boot 3, then Boot 4
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration"
        })
@ConditionalOnClass(GroupCommit.class)
@Import({BoundProperties.class, ObservedWriters.class})
public final class CollapseWritesAutoConfiguration {

    private static final String NAMED_WRITERS = "collapseNamedWriters";
    private static final String LAZY = "spring.main.lazy-initialization";

    /** Created by Spring. */
    public CollapseWritesAutoConfiguration() {}

    @Bean(name = NAMED_WRITERS, destroyMethod = "close")
    @Lazy(false)
    NamedWriters collapseNamedWriters(
            CollapseExecutorProperties properties,
            ConfigurableListableBeanFactory beans,
            ObservedWriters observed,
            Environment environment) {
        return new NamedWriters(
                properties,
                new DataSources(beans, NAMED_WRITERS),
                observed,
                TestSlice.isIn(environment) || environment.getProperty(LAZY, Boolean.class, false));
    }

    @Bean
    static BeansByName collapseNamedWriterBeans(Environment environment) {
        return new BeansByName(
                environment, OptionsReader.WRITERS, Set.of(NamedWriters.DEFAULT), NAMED_WRITERS, "named");
    }

    /** The factory closes it. */
    @Bean(destroyMethod = "")
    @Lazy
    @ConditionalOnSingleCandidate(DataSource.class)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    GroupCommit collapseGroupCommit(NamedWriters writers) {
        return writers.named(NamedWriters.DEFAULT);
    }

    /** Apart, because both are made only where there are sequences: a pool is not to be made for nobody. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(DataSource.class)
    @ConditionalOnClass(DataSourceBuilder.class)
    @ConditionalOnMissingBean(value = Sequences.class, search = SearchStrategy.CURRENT)
    static final class Numbers {

        private static final String POOL = "collapseNumberPool";
        private static final String SEQUENCES = CollapseExecutorProperties.PREFIX + ".sequences";
        private static final String DATA_SOURCE = SEQUENCES + ".data-source";
        private static final String POOL_SIZE = SEQUENCES + ".pool-size";
        private static final String NAME = "sequences";

        /** How numbers are taken. */
        record Settings(CollapseExecutorProperties.Sequences section, CollapseOptions options) {}

        /** Made at the start, whether or not numbers are taken: a value that is not allowed must stop it. */
        @Bean
        @Lazy(false)
        Settings collapseSequenceSettings(
                CollapseExecutorProperties properties, ConfigurableListableBeanFactory beans) {
            CollapseExecutorProperties.Sequences section = properties.sequences();
            new DataSources(beans, POOL).check(DATA_SOURCE, section.dataSource());
            NumberPool.check(POOL_SIZE, section.poolSize());
            CollapseOptions.Builder options = Sequences.defaultOptions().toBuilder();
            OptionsReader.setAt(SEQUENCES + ".max-pending", section.maxPending(), options::maxPending);
            OptionsReader.setAt(SEQUENCES + ".call-timeout", section.callTimeout(), options::callTimeout);
            return new Settings(
                    section,
                    properties.enabled()
                            ? options.build()
                            : options.maxBatchSize(1).build());
        }

        @Bean(name = POOL, destroyMethod = "close")
        @Lazy
        NumberPool collapseNumberPool(Settings settings, ConfigurableListableBeanFactory beans) {
            DataSources dataSources = new DataSources(beans, POOL);
            NumberPool pool = NumberPool.of(
                    dataSources.named(DATA_SOURCE, settings.section().dataSource()),
                    POOL_SIZE,
                    settings.section().poolSize());
            dataSources.outliveUser();
            return pool;
        }

        @Bean(destroyMethod = "close")
        @Lazy
        Sequences collapseSequences(Settings settings, @Qualifier(POOL) NumberPool pool, ObservedWriters observed) {
            return Sequences.of(observed.observed(NAME, source(settings.section(), pool)), settings.options());
        }

        private static SequenceSource source(CollapseExecutorProperties.Sequences section, NumberPool pool) {
            String table = section.table();
            return table == null
                    ? new DatabaseSequences(pool.connections())
                    : new SequenceTable(pool.connections(), table, section.nameColumn(), section.numberColumn());
        }
    }

    /** Applies where Spring's JdbcTemplate is on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcTemplate.class)
    static final class Template {

        @Bean
        @Lazy
        @ConditionalOnSingleCandidate(DataSource.class)
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        GroupCommitTemplate collapseGroupCommitTemplate(GroupCommit commits, DataSource dataSource) {
            return new GroupCommitTemplate(commits, new JdbcTemplate(dataSource).getExceptionTranslator());
        }
    }
}

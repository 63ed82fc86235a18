package io.github.collapseexecutor.spring.boot.writes;

import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.MergedUpdates;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.config.Artifact;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/**
 * Has writers and sequences made after the tables: as a {@code JdbcTemplate}, they depend on Flyway, Liquibase and the scripts of {@code
 * spring.sql.init}, so that a bean may write as soon as it is made. Spring Boot finds this class by its name.
 */
final class WritersAfterTables extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Artifact.JDBC.isPresent() ? Set.of(GroupCommit.class, MergedUpdates.class, Sequences.class) : Set.of();
    }
}

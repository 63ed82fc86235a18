package io.github.collapseexecutor.spring.boot.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Writers and sequences that beans use while the application starts. */
class WritersAtTheStartTests extends NamedWritersFixture {

    /** A bean that writes and takes a number as soon as it is made, and is defined before all others. */
    @Configuration(proxyBeanMethods = false)
    static class Early {

        @Bean
        Long early(GroupCommit commits, Sequences sequences) throws Exception {
            commits.execute(INSERT, "at the start");
            return sequences.next("order_id");
        }

        @Bean
        Boolean earlyByName(@Qualifier("audit") GroupCommit audit) throws Exception {
            return audit.execute(INSERT, "by name").updateCount() == 1;
        }
    }

    @Test
    void aBeanThatWritesAtTheStartFindsTheTablesThatSpringBootMakes(@TempDir Path folder) throws Exception {
        Path schema = Files.writeString(folder.resolve("schema.sql"), NOTES + "; CREATE SEQUENCE order_id;");
        context = new TestApplication().with(Early.class).start("""
                spring.datasource.url: jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1
                spring.sql.init.schema-locations: %s
                collapse.executor.writers.audit.max-batch-size: 10
                """.formatted(UUID.randomUUID(), schema.toUri()));
        assertThat(context.getBean("early")).isEqualTo(1L);
        assertThat(context.getBean("earlyByName")).isEqualTo(true);
        assertThat(rows(context.getBean(DataSource.class))).isEqualTo(2);
    }
}

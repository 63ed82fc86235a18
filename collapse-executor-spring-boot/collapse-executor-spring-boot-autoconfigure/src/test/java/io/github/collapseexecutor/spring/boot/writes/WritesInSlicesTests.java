package io.github.collapseexecutor.spring.boot.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

/** A slice of a test, {@code @JdbcTest} for example: the properties of the whole application, and one database of the test's own. */
@ExtendWith(OutputCaptureExtension.class)
class WritesInSlicesTests extends NamedWritersFixture {

    private static final String PROPERTIES = """
            collapse.executor:
              writers:
                orders: {data-source: ordersDatabase}
              sequences: {data-source: ordersDatabase, pool-size: 0}
            logging.level.io.github.collapseexecutor.spring.boot.writes.DataSources: error
            """;

    private static final String SLICE = PROPERTIES + "spring.boot.enableautoconfiguration: false\n";

    @Test
    void rowsAndNumbersOfADatabaseThatIsNotInTheSliceAreThoseOfTheOneThatIs() throws Exception {
        start(SLICE, OneDatabase.class);
        DataSource database = context.getBean(DataSource.class);
        context.getBean("orders", GroupCommit.class).execute(INSERT, "text");
        assertThat(rows(database)).isEqualTo(1);
        new JdbcTemplate(database).execute("CREATE SEQUENCE order_id");
        assertThat(context.getBean(Sequences.class).next("order_id")).isEqualTo(1);
    }

    @Test
    void aDatabaseThatIsInTheSliceIsUsed() throws Exception {
        start(SLICE, TwoDatabases.class);
        context.getBean("orders", GroupCommit.class).execute(INSERT, "text");
        assertThat(rows(context.getBean("ordersDatabase", DataSource.class))).isEqualTo(1);
    }

    @Test
    void aWriterThatNothingInTheSliceAsksForIsNotWarnedOf(CapturedOutput output) {
        start(SLICE, OneDatabase.class);
        assertThat(output.getAll()).doesNotContain("configures nothing");
    }

    @Test
    void aWholeApplicationWithoutTheDatabaseDoesNotStart() {
        assertThat(new TestApplication().alone().with(OneDatabase.class).failure(PROPERTIES))
                .contains("there is no DataSource bean of this name");
    }
}

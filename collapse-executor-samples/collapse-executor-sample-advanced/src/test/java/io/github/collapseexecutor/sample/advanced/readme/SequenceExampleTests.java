package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.jdbc.DatabaseSequences;
import io.github.collapseexecutor.sequence.Sequences;
import java.sql.Connection;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The example that needs a database. */
class SequenceExampleTests {

    @Test
    void sequence() throws Exception {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:example;DB_CLOSE_DELAY=-1");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SEQUENCE order_id START WITH 1000");
        }
        // readme:begin sequence
        Sequences sequences = Sequences.of(new DatabaseSequences(dataSource));

        long orderId = sequences.next("order_id"); // or nextAsync, which returns a future
        // readme:end
        assertThat(orderId).isEqualTo(1000);
        assertThat(sequences.nextAsync("order_id").get()).isEqualTo(1001);
    }
}

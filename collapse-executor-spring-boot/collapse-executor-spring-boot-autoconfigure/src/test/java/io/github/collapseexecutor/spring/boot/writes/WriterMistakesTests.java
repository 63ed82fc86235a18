package io.github.collapseexecutor.spring.boot.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Mistakes under {@code collapse.executor.writers}, which stop the start or are warned of. */
@ExtendWith(OutputCaptureExtension.class)
class WriterMistakesTests extends NamedWritersFixture {

    @ParameterizedTest
    @CsvSource({
        "max-batch-size, 0,   max-batch-size",
        "max-retries,    -1,  max-retries",
        "network-timeout, 25d, network-timeout",
        "call-timeout,   0s,  call-timeout",
        "in-transaction, never, in-transaction",
    })
    void aValueThatIsNotAllowedIsRefusedByItsProperty(String key, String value, String property) {
        assertThat(new TestApplication()
                        .alone()
                        .with(OneDatabase.class)
                        .failure("collapse.executor.writers: {orders: {" + key + ": " + value + "}}"))
                .contains("Property: collapse.executor.writers.orders." + property)
                .contains("Value: \"" + value + "\"");
    }

    @Test
    void anUnknownDataSourceHasASuggestion() {
        assertThat(new TestApplication()
                        .alone()
                        .with(TwoDatabases.class)
                        .failure("collapse.executor.writers: {orders: {data-source: orderDatabase}}"))
                .contains("Property: collapse.executor.writers.orders.data-source")
                .contains("there is no DataSource bean of this name; did you mean ordersDatabase?")
                .contains("Name one of");
    }

    @Test
    void anUnknownKeyHasASuggestion() {
        assertThat(new TestApplication().alone().failure("collapse.executor.writers: {orders: {batch-size: 3}}"))
                .contains("collapse.executor.writers.orders has no key batch-size; did you mean max-batch-size?");
    }

    @Test
    void theNameIsTheKey() {
        assertThat(new TestApplication().alone().failure("collapse.executor.writers: [{name: orders}]"))
                .contains("the name of a writer is its key");
    }

    @Test
    void aNameThatNobodyUsesIsWarnedOfOnce(CapturedOutput output) {
        start("""
                collapse.executor.writers:
                  group-comit: {max-batch-size: 3}
                  stock: {max-batch-size: 100}
                logging.level.io.github.collapseexecutor.spring.boot.writes.DataSources: error
                """, OneDatabase.class, Stock.class);
        assertThat(output.getAll())
                .containsOnlyOnce("collapse.executor.writers.group-comit configures nothing: no writer has this name;"
                        + " did you mean group-commit? Inject the bean of this name")
                .doesNotContain("writers.stock");
    }
}

package io.github.collapseexecutor.foreign.writes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever manages the transactions of an application: a row of a writer is no part of them, and their rows are no part of a batch. If the writer
 * notices a transaction, it refuses the call or waits for the commit.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS) // as long as foreign.minutes says
class ForeignTransactionsTests {

    static final List<Transactions> ALL = List.of(
            new SpringTransactions(),
            new AtomikosTransactions(),
            new NarayanaTransactions(),
            new UserTransactions(),
            new JpaTransactions(),
            new BatchTransactions(),
            new MyBatisTransactions(true),
            new MyBatisTransactions(false),
            new JdbiTransactions(true),
            new JdbiTransactions(false),
            new JooqTransactions());

    private static final long MINUTES = Long.getLong("foreign.minutes", 0);

    @BeforeAll
    static void silenceLibraries() {
        QuietLogs.begin();
    }

    @ParameterizedTest
    @EnumSource
    void rowsOfAWriterAreNoPartOfATransaction(Server server) throws Exception {
        long first = MINUTES == 0 ? 1 : System.nanoTime();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        List<String> differences = new ArrayList<>();
        long seed = first;
        while (MINUTES == 0 ? seed < first + 2L * ALL.size() : System.nanoTime() < end) {
            Transactions transactions = ALL.get((int) (seed % ALL.size()));
            List<String> found = new TransactionsRun(server, transactions, seed).differences();
            if (!found.isEmpty()) {
                differences.add("seed " + seed + " " + transactions + "\n    " + String.join("\n    ", found));
            }
            seed++;
        }
        assertThat(String.join("\n", differences))
                .as("%d of %d set-ups differ", differences.size(), seed - first)
                .isEmpty();
    }
}

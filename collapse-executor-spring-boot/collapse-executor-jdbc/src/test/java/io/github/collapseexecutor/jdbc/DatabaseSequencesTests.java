package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.sequence.NumberProof;
import io.github.collapseexecutor.sequence.SequenceException;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.sequence.UnknownSequenceException;
import java.sql.SQLException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequences of H2, PostgreSQL and MariaDB, each a real server. */
class DatabaseSequencesTests {

    @ParameterizedTest
    @EnumSource
    void eachNumberIsGivenOnceWithFewRoundTrips(Database database) throws Exception {
        database.execute("CREATE SEQUENCE proof START WITH 1 INCREMENT BY 1 " + noCache(database));
        CountingDataSource counted = new CountingDataSource(SharedPools.of(database));
        Sequences sequences = Sequences.of(new DatabaseSequences(counted));
        long[] numbers = NumberProof.numbersOf(() -> sequences.next("proof"));
        assertThat(numbers[0]).isEqualTo(1);
        assertThat(numbers[NumberProof.NUMBERS - 1])
                .as("nothing was taken for nobody")
                .isEqualTo(NumberProof.NUMBERS);
        assertThat(counted.roundTrips).hasValueLessThanOrEqualTo(database.roundTripsFor(NumberProof.NUMBERS));
    }

    @ParameterizedTest
    @EnumSource
    void othersMayTakeNumbersOfTheSequenceMeanwhile(Database database) throws Exception {
        database.execute("CREATE SEQUENCE shared_number START WITH 1 INCREMENT BY 1 " + noCache(database));
        Sequences here = Sequences.of(new DatabaseSequences(SharedPools.of(database)));
        Sequences there = Sequences.of(new DatabaseSequences(SharedPools.of(database)));
        long[] numbers =
                NumberProof.numbersOf(() -> Thread.currentThread().getName().matches(".*[02468]")
                        ? here.next("shared_number")
                        : there.next("shared_number"));
        assertThat(numbers[0]).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void incrementIsThatOfTheSequence(Database database) throws Exception {
        database.execute("CREATE SEQUENCE by_ten START WITH 100 INCREMENT BY 10 " + noCache(database));
        DatabaseSequences source = new DatabaseSequences(SharedPools.of(database));
        assertThat(source.take("by_ten", 1)).containsExactly(100);
        assertThat(source.take("by_ten", 4)).containsExactly(110, 120, 130, 140);
        assertThat(Sequences.of(source).next("by_ten")).isEqualTo(150);
    }

    @ParameterizedTest
    @EnumSource
    void manyNumbersComeInOrderAndWithoutGaps(Database database) throws Exception {
        database.execute("CREATE SEQUENCE many START WITH 1 INCREMENT BY 1 " + noCache(database));
        assertThat(new DatabaseSequences(SharedPools.of(database)).take("many", 10_000))
                .containsExactly(LongStream.rangeClosed(1, 10_000).toArray());
    }

    @ParameterizedTest
    @EnumSource
    void cyclicSequenceIsRefused(Database database) throws Exception {
        database.execute("CREATE SEQUENCE cyclic START WITH 1 INCREMENT BY 1 MINVALUE 1 MAXVALUE 3 " + noCache(database)
                + " CYCLE");
        assertRefused(database, "cyclic", "is cyclic", "ALTER SEQUENCE cyclic NO CYCLE");
    }

    @ParameterizedTest
    @EnumSource
    void sequenceThatBecomesCyclicRepeatsNothing(Database database) throws Exception {
        database.execute(
                "CREATE SEQUENCE turning START WITH 1 INCREMENT BY 1 MINVALUE 1 MAXVALUE 3 " + noCache(database));
        Sequences sequences = Sequences.of(new DatabaseSequences(SharedPools.of(database)));
        assertThat(sequences.next("turning")).isEqualTo(1);
        database.execute("ALTER SEQUENCE turning CYCLE");
        assertThat(sequences.next("turning")).isEqualTo(2);
        assertThat(sequences.next("turning")).isEqualTo(3);
        assertThatThrownBy(() -> sequences.next("turning"))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("gave 1 after 3");
    }

    @ParameterizedTest
    @EnumSource
    void descendingSequenceIsRefused(Database database) throws Exception {
        database.execute("CREATE SEQUENCE descending START WITH -1 INCREMENT BY -1 MINVALUE -1000 MAXVALUE -1 "
                + noCache(database));
        assertRefused(database, "descending", "is descending (INCREMENT BY -1)", "INCREMENT BY 1");
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL")
    void sequenceWithACacheForEachConnectionIsRefused(Database database) throws Exception {
        database.execute("CREATE SEQUENCE cached CACHE 20");
        assertRefused(database, "cached", "is cached for each connection (CACHE 20)", "CACHE 1");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "MARIADB"})
    void cacheOfTheServerKeepsTheOrder(Database database) throws Exception {
        database.execute("CREATE SEQUENCE server_cache START WITH 1 INCREMENT BY 1 CACHE 20");
        Sequences sequences = Sequences.of(new DatabaseSequences(SharedPools.of(database)));
        assertThat(NumberProof.numbersOf(() -> sequences.next("server_cache"))[0])
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void sequenceAtItsEndIsAnErrorThatTheDatabaseExplains(Database database) throws Exception {
        database.execute(
                "CREATE SEQUENCE ending START WITH 1 INCREMENT BY 1 MINVALUE 1 MAXVALUE 3 " + noCache(database));
        Sequences sequences = Sequences.of(new DatabaseSequences(SharedPools.of(database)));
        for (long number = 1; number <= 3; number++) {
            assertThat(sequences.next("ending")).isEqualTo(number);
        }
        assertThatThrownBy(() -> sequences.next("ending"))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("'ending'")
                .hasCauseInstanceOf(SQLException.class);
    }

    @ParameterizedTest
    @EnumSource
    void batchBeyondTheEndGivesNoNumber(Database database) throws Exception {
        database.execute(
                "CREATE SEQUENCE short START WITH 1 INCREMENT BY 1 MINVALUE 1 MAXVALUE 3 " + noCache(database));
        assertThatThrownBy(() -> new DatabaseSequences(SharedPools.of(database)).take("short", 5))
                .isInstanceOf(SQLException.class);
    }

    @ParameterizedTest
    @EnumSource
    void unknownSequenceIsAnErrorThatSaysHowToCreateIt(Database database) throws Exception {
        assertUnknown(database, "missing");
        assertUnknown(database, "missing_schema.missing");
        database.execute("CREATE SEQUENCE dropped START WITH 1 INCREMENT BY 1 " + noCache(database));
        Sequences sequences = Sequences.of(new DatabaseSequences(SharedPools.of(database)));
        assertThat(sequences.next("dropped")).isEqualTo(1);
        database.execute("DROP SEQUENCE dropped");
        assertThatThrownBy(() -> sequences.next("dropped"))
                .isInstanceOf(UnknownSequenceException.class)
                .hasMessageContaining("'dropped'");
        database.execute("CREATE SEQUENCE dropped START WITH 1 INCREMENT BY 1 MINVALUE 1 MAXVALUE 3 "
                + noCache(database) + " CYCLE");
        assertRefused(sequences, "dropped", "is cyclic", "NO CYCLE");
    }

    /** A session may be told to cut the result of every query. */
    @Test
    void whenThereAreFewerNumbersThanCallersNoneIsGiven() {
        Database.MARIADB.execute("CREATE SEQUENCE cut START WITH 1 INCREMENT BY 1 NOCACHE");
        String url = Database.MARIADB.url() + "&sessionVariables=sql_select_limit=2";
        try (HikariDataSource pool = Database.pool(1, url)) {
            DatabaseSequences source = new DatabaseSequences(pool);
            assertThatThrownBy(() -> source.take("cut", 3))
                    .isInstanceOf(SequenceException.class)
                    .hasMessageContaining("'cut' gave 2 numbers instead of 3");
        }
    }

    @ParameterizedTest
    @EnumSource
    void nameMayBeQuotedAndHaveASchema(Database database) throws Exception {
        String quote = database == Database.MARIADB ? "`" : "\"";
        String quoted = quote + "Or der.No" + quote;
        String schema = switch (database) {
            case H2 -> "PUBLIC";
            case POSTGRESQL -> "public";
            case MARIADB -> "tests";
        };
        database.execute("CREATE SEQUENCE " + quoted + " START WITH 1 INCREMENT BY 1 " + noCache(database));
        DatabaseSequences source = new DatabaseSequences(SharedPools.of(database));
        assertThat(source.take(quoted, 2)).containsExactly(1, 2);
        assertThat(source.take(schema + "." + quoted, 2)).containsExactly(3, 4);
        assertThat(source.take(quote + schema + quote + "." + quoted, 2)).containsExactly(5, 6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "a; DROP TABLE b",
                "a.b.c",
                "1",
                "\"a",
                "'a'",
                "a'||'b",
                "a--",
                "a(",
                "\"a\\\"",
                "\"a'b\""
            })
    void anInvalidNameIsRefusedBeforeItReachesTheDatabase(String name) {
        CountingDataSource counted = new CountingDataSource(SharedPools.of(Database.H2));
        assertThatThrownBy(() -> new DatabaseSequences(counted).take(name, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name is '" + name + "'");
        assertThat(counted.roundTrips).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void connectionsThatDoNotCommitByThemselvesAreCommitted(Database database) throws Exception {
        database.execute("CREATE SEQUENCE uncommitted START WITH 1 INCREMENT BY 1 " + noCache(database));
        ManualCommits connections = new ManualCommits(SharedPools.of(database));
        Sequences sequences = Sequences.of(new DatabaseSequences(connections));
        assertThat(sequences.next("uncommitted")).isEqualTo(1);
        assertThatThrownBy(() -> sequences.next("missing")).isInstanceOf(UnknownSequenceException.class);
        assertThat(sequences.next("uncommitted")).isEqualTo(2);
        assertThat(connections.ended).containsExactly("commit", "rollback", "commit");
    }

    private static void assertUnknown(Database database, String name) {
        Sequences sequences = Sequences.of(new DatabaseSequences(SharedPools.of(database)));
        assertThatThrownBy(() -> sequences.next(name))
                .isInstanceOf(UnknownSequenceException.class)
                .hasMessageContaining("There is no sequence '" + name + "'")
                .hasMessageContaining("CREATE SEQUENCE " + name);
    }

    private static void assertRefused(Database database, String name, String why, String remedy) {
        assertRefused(Sequences.of(new DatabaseSequences(SharedPools.of(database))), name, why, remedy);
    }

    private static void assertRefused(Sequences sequences, String name, String why, String remedy) {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> sequences.next(name))
                    .isInstanceOf(SequenceException.class)
                    .hasMessageContaining("'" + name + "' " + why)
                    .hasMessageContaining(remedy);
        }
    }

    /** PostgreSQL's default; where the cache is the server's, a sequence has one unless it is told not to. */
    private static String noCache(Database database) {
        return database == Database.POSTGRESQL ? "" : "NOCACHE";
    }
}

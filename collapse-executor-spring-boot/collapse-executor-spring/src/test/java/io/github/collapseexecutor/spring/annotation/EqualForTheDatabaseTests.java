package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import reactor.core.publisher.Mono;

/**
 * Items that a database takes for the same, and {@code equals} does not, as the default collations of MySQL, MariaDB and SQL Server do with
 * upper and lower case: an answer is that of the item that it names, and the other items are missing.
 */
class EqualForTheDatabaseTests {

    record Account(String mail) {}

    static class Accounts {

        // immutable
        private final NamedParameterJdbcTemplate jdbc;
        private final Gate gate;

        Accounts(Gate gate) {
            this.gate = gate;
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            jdbc = new NamedParameterJdbcTemplate(database);
            jdbc.getJdbcOperations().execute("CREATE TABLE account (mail VARCHAR_IGNORECASE(100) PRIMARY KEY)");
            jdbc.getJdbcOperations().execute("INSERT INTO account VALUES ('Ann@x.example'), ('bob@x.example')");
        }

        @CollapseBatch(method = "findAllByMail", itemKey = "mail", name = "plain")
        public Account plain(String mail) {
            return query(List.of(mail)).stream().findFirst().orElse(null);
        }

        @CollapseBatch(method = "findAllByMail", itemKey = "mail", name = "optional")
        public Optional<Account> optional(String mail) {
            return query(List.of(mail)).stream().findFirst();
        }

        public List<Account> findAllByMail(Collection<String> mails) {
            gate.pass(mails);
            return query(mails);
        }

        @CollapseBatch(method = "mapByMail", name = "map")
        public Account map(String mail) {
            return plain(mail);
        }

        public Map<String, Account> mapByMail(Collection<String> mails) {
            return findAllByMail(mails).stream().collect(Collectors.toMap(Account::mail, account -> account));
        }

        @CollapseBatch(method = "futures", itemKey = "mail", name = "future")
        public CompletableFuture<Account> future(String mail) {
            return futures(List.of(mail)).thenApply(found -> found.isEmpty() ? null : found.get(0));
        }

        public CompletableFuture<List<Account>> futures(Collection<String> mails) {
            return CompletableFuture.supplyAsync(() -> findAllByMail(mails), task -> new Thread(task).start());
        }

        @CollapseBatch(method = "monos", itemKey = "mail", name = "mono")
        public Mono<Account> mono(String mail) {
            return monos(List.of(mail))
                    .flatMap(found -> Mono.justOrEmpty(found.stream().findFirst()));
        }

        public Mono<List<Account>> monos(Collection<String> mails) {
            return Mono.fromFuture(() -> futures(mails));
        }

        private List<Account> query(Collection<String> mails) {
            return jdbc.query(
                    "SELECT mail FROM account WHERE mail IN (:mails)",
                    Map.of("mails", mails),
                    (row, index) -> new Account(row.getString(1)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {

        @Bean
        Accounts accounts(Gate gate) {
            return new Accounts(gate);
        }
    }

    enum Kind {
        PLAIN,
        OPTIONAL,
        MAP,
        FUTURE,
        MONO;

        Account ask(Accounts accounts, String mail) {
            return switch (this) {
                case PLAIN -> accounts.plain(mail);
                case OPTIONAL -> accounts.optional(mail).orElse(null);
                case MAP -> accounts.map(mail);
                case FUTURE -> accounts.future(mail).join();
                case MONO -> accounts.mono(mail).block();
            };
        }
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(Database.class);
    private final Accounts accounts = application.get(Accounts.class);
    private final Gate gate = application.get(Gate.class);

    @AfterEach
    void close() {
        gate.open();
        application.close();
    }

    private List<Account> found(Kind kind, List<String> mails) throws Exception {
        return Burst.of(
                mails.size(),
                gate,
                application.executor(kind.name().toLowerCase(Locale.ROOT)),
                index -> () -> kind.ask(accounts, mails.get(index)));
    }

    @ParameterizedTest
    @EnumSource
    void anItemThatNoAnswerNamesIsMissing(Kind kind) throws Exception {
        List<String> mails = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            mails.addAll(List.of("ann@x.example", "Ann@x.example", "BOB@x.example", "nobody@x.example"));
        }
        List<Account> expected = mails.stream()
                .map(mail -> mail.startsWith("Ann") ? new Account("Ann@x.example") : null)
                .toList();
        assertThat(found(kind, mails)).isEqualTo(expected);
        assertThat(gate.executions()).as("batches").hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void itemsThatAreNotThereAreNotAskedForAgain() throws Exception {
        List<String> mails = Stream.iterate(0, i -> i + 1)
                .limit(20)
                .map(i -> "nobody" + i + "@x.example")
                .toList();
        assertThat(found(Kind.FUTURE, mails)).containsOnlyNulls();
        assertThat(gate.executions()).as("batches").hasSize(2);
    }
}

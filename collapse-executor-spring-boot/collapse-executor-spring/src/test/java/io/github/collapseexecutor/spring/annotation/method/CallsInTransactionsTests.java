package io.github.collapseexecutor.spring.annotation.method;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.collapseexecutor.LoggedEvents;
import io.github.collapseexecutor.spring.annotation.Application;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.reactive.TransactionContextManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** A method all of whose callers are inside a transaction never collapses: the log has to say so, and where the annotation belongs. */
class CallsInTransactionsTests {

    static class Prices {

        @Collapsible
        public String price(String product) {
            return product;
        }

        @Collapsible
        public Mono<String> later(String product) {
            return Mono.just(product);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        Prices prices() {
            return new Prices();
        }

        @Bean
        DataSource dataSource() {
            return new EmbeddedDatabaseBuilder()
                    .setType(EmbeddedDatabaseType.H2)
                    .generateUniqueName(true)
                    .build();
        }

        @Bean
        TransactionTemplate transaction(DataSource dataSource) {
            return new TransactionTemplate(new DataSourceTransactionManager(dataSource));
        }
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(Shop.class);
    private final Prices prices = application.get(Prices.class);
    private final TransactionTemplate transaction = application.get(TransactionTemplate.class);
    private final LoggedEvents warnings = new LoggedEvents(CallRules.class, Level.WARN);

    @AfterEach
    void close() {
        warnings.close();
        application.close();
    }

    @Test
    void warningNamesTheMethodOnce_ifEachOfItsFirstCallsIsInATransaction() {
        warnsAfterEnough("Prices.price", () -> transaction.execute(status -> prices.price("tea")));
    }

    @Test
    void warningNamesTheMethodOnce_ifEachSubscriberOfItsMonosIsInATransaction() {
        warnsAfterEnough(
                "Prices.later",
                () -> prices.later("tea")
                        .contextWrite(context -> TransactionContextManager.getOrCreateContext()
                                .apply(TransactionContextManager.getOrCreateContextHolder()
                                        .apply(context)))
                        .block());
    }

    @Test
    void oneCallOutsideOfTransactionsIsEnoughForNoWarning() {
        prices.price("tea");
        prices.later("tea").block();
        for (int i = 0; i < 2 * CallRules.ENOUGH_IN_TRANSACTION; i++) {
            transaction.execute(status -> prices.price("tea"));
        }
        assertThat(warnings.messages()).isEmpty();
    }

    private void warnsAfterEnough(String method, Supplier<String> call) {
        for (int i = 1; i < CallRules.ENOUGH_IN_TRANSACTION; i++) {
            assertThat(call.get()).isEqualTo("tea");
        }
        assertThat(warnings.messages()).isEmpty();
        for (int i = 0; i < 2 * CallRules.ENOUGH_IN_TRANSACTION; i++) {
            assertThat(call.get()).isEqualTo("tea");
        }
        assertThat(warnings.messages()).singleElement().asString().contains(method, "inside a transaction", "Annotate");
    }
}

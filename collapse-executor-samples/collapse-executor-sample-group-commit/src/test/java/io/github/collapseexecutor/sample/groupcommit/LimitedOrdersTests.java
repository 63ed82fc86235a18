package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** No more orders are taken at a time than {@code load.limit} says. */
class LimitedOrdersTests {

    @Test
    void ordersBeyondTheLimitWaitBeforeTheyHaveAConnection() throws Exception {
        ExecutorService users = Executors.newFixedThreadPool(5);
        try (ConfigurableApplicationContext application = SpringApplication.run(
                GroupCommitSampleApplication.class,
                "--server.port=0",
                "--load.limit=3",
                "--spring.datasource.url=jdbc:h2:mem:limited;LOCK_TIMEOUT=60000")) {
            LimitedOrders orders = application.getBean(LimitedOrders.class);
            JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
            List<Future<Long>> taken = new ArrayList<>();
            new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(locks -> {
                        jdbc.update("UPDATE inventory SET balance = balance WHERE goods_id = 101");
                        for (int user = 0; user < 5; user++) {
                            taken.add(users.submit(() -> orders.submit(7, 101, 1)));
                        }
                        while (orders.waiting() < 2) {
                            Thread.onSpinWait();
                        }
                        assertThat(taken).noneMatch(Future::isDone);
                        assertThat(orders.waiting()).isEqualTo(2);
                    });
            for (Future<Long> order : taken) {
                assertThat(order.get()).isPositive();
            }
            assertThat(application.getBean(Shop.class).sold()).isEqualTo(5);
            assertThat(orders.waiting()).isZero();
        } finally {
            users.shutdownNow();
        }
    }

    @Test
    void limitOutOfRangeIsRefused() {
        assertThatThrownBy(() -> SpringApplication.run(
                        GroupCommitSampleApplication.class,
                        "--server.port=0",
                        "--load.limit=-1",
                        "--spring.datasource.url=jdbc:h2:mem:unlimited"))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "load.limit is -1: it must be a number of orders that are taken at a time, from 1 to 100000;"
                                + " 0 limits nothing");
    }
}

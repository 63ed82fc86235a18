package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** A message that is written in a group stays when its order's transaction rolls back, and its state says so. */
class MessagesTests {

    private static ConfigurableApplicationContext application;
    private static Messages messages;
    private static MessageController controller;
    private static JdbcTemplate jdbc;

    @BeforeAll
    static void start() {
        application = SpringApplication.run(
                GroupCommitSampleApplication.class,
                "--server.port=0",
                "--shop.message-age=0s",
                "--spring.datasource.url=jdbc:h2:mem:messages;LOCK_TIMEOUT=20000");
        messages = application.getBean(Messages.class);
        controller = application.getBean(MessageController.class);
        jdbc = application.getBean(JdbcTemplate.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void restock() {
        application.getBean(Shop.class).restock(10);
    }

    private static List<String> states() {
        return jdbc.queryForList(
                "SELECT state || ' ' || COUNT(*) FROM message GROUP BY state ORDER BY state", String.class);
    }

    @Test
    void messagesOfOrdersThatWereNotTakenBecomeVoid() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(40);
        try {
            List<Future<Long>> orders = new ArrayList<>();
            for (int order = 0; order < 40; order++) {
                orders.add(callers.submit(() -> controller.message(null, 7, 101, 1)));
            }
            int taken = 0;
            for (Future<Long> order : orders) {
                try {
                    assertThat(order.get()).isPositive();
                    taken++;
                } catch (ExecutionException refused) {
                    assertThat(refused).hasCauseInstanceOf(OrderRefusedException.class);
                }
            }
            assertThat(taken).isEqualTo(10);
        } finally {
            callers.shutdownNow();
        }
        assertThat(states()).containsExactly("CONFIRMED 10", "PREPARED 30");
        assertThat(controller.check()).isEqualTo(30);
        assertThat(states()).containsExactly("CONFIRMED 10", "VOID 30");
        assertThat(controller.check()).isZero();
        assertThat(application.getBean(Shop.class).sold()).isEqualTo(10);
        assertThat(controller.page())
                .contains("<tr><td>CONFIRMED</td><td>10</td></tr>", "<tr><td>VOID</td><td>30</td></tr>");
    }

    @Test
    void orderThatComesBehindTheCheckRollsBack() throws Exception {
        messages.prepare("late", "user 7 orders 1 of 101");
        assertThat(messages.check()).isOne();
        assertThatThrownBy(() -> messages.order("late", 7, 101, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The message late is void: its order came too late");
        assertThat(application.getBean(Shop.class).sold()).isZero();
        assertThat(states()).containsExactly("VOID 1");
    }
}

package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.jdbc.RowStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A local message table: the message of an order is written first, in groups, and is no part of the order's transaction, which may roll back after that. So
 * each message has a state, which is looked at before anything is done with it.
 *
 * <ul>
 *   <li>PREPARED: written; its transaction runs still, was rolled back, or never began.
 *   <li>CONFIRMED: set by the transaction itself, so that it is there exactly if the order is.
 *   <li>VOID: set by the {@linkplain #check check} in place of PREPARED. The row's lock decides who is first: a transaction that comes to confirm
 *       it later finds it void, and rolls back.
 * </ul>
 */
@Component
class Messages {

    private static final RowStatement PREPARE =
            RowStatement.of("INSERT INTO message (id, text, created) VALUES (?, ?, ?)");

    // immutable
    private final RowGroups groups;
    private final PlainOrders orders;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final Duration age;

    Messages(
            RowGroups groups,
            PlainOrders orders,
            JdbcTemplate jdbc,
            PlatformTransactionManager transactions,
            @Value("${shop.message-age}") Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException("shop.message-age is " + age
                    + ": it must be the time that a transaction takes at most, such as 10s");
        }
        this.groups = groups;
        this.orders = orders;
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(transactions);
        this.age = age;
    }

    /** Writes a message; it is durable when this returns. Not inside the order's transaction: that would hold a connection meanwhile. */
    void prepare(String id, String text) throws SQLException, InterruptedException {
        groups.write(PREPARE, id, text, System.currentTimeMillis());
    }

    /** Takes an order and confirms its message, in one transaction. */
    long order(String id, long userId, long goodsId, int count) throws OrderRefusedException {
        try {
            Long order = transaction.execute(status -> {
                try {
                    long number = orders.submit(userId, goodsId, count);
                    if (jdbc.update("UPDATE message SET state = 'CONFIRMED' WHERE id = ? AND state = 'PREPARED'", id)
                            == 0) {
                        throw new IllegalStateException("The message " + id + " is void: its order came too late");
                    }
                    return number;
                } catch (OrderRefusedException refusal) {
                    throw new Refused(refusal);
                }
            });
            return order == null ? 0 : order;
        } catch (Refused refused) {
            throw refused.refusal;
        }
    }

    /** Makes void what is prepared for longer than a transaction takes; returns how many. */
    int check() {
        return jdbc.update(
                "UPDATE message SET state = 'VOID' WHERE state = 'PREPARED' AND created <= ?",
                System.currentTimeMillis() - age.toMillis());
    }

    /** How many messages there are in each state. */
    List<Map<String, Object>> states() {
        return jdbc.queryForList("SELECT state, COUNT(*) AS messages FROM message GROUP BY state ORDER BY state");
    }

    /** A refusal on its way through the transaction, which it rolls back. */
    private static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        // immutable
        private final OrderRefusedException refusal;

        Refused(OrderRefusedException refusal) {
            super(refusal);
            this.refusal = refusal;
        }
    }
}

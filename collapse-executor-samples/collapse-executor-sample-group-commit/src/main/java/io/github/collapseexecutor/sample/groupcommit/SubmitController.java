package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.jdbc.RowStatement;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Writes a row for each request: {@code /submit} in groups, {@code /submit-later} in groups while no thread of the server waits, {@code /submit2} one by
 * one; none for {@code /nothing}.
 */
@RestController
class SubmitController {

    private static final String INSERT =
            "INSERT INTO order_info (order_no, address_id, merchant_id, user_id, order_amount) VALUES (?, ?, ?, ?, ?)";
    static final RowStatement ROW = RowStatement.of(INSERT);
    private static final long SOMEBODY = 123321123321123L;

    // immutable
    private final RowGroups groups;
    private final JdbcTemplate jdbc;

    SubmitController(RowGroups groups, JdbcTemplate jdbc) {
        this.groups = groups;
        this.jdbc = jdbc;
    }

    /** Answers when the row is durable. */
    @PostMapping("/submit")
    boolean submit(@RequestParam(name = "order_no", required = false) @Nullable String orderNo)
            throws SQLException, InterruptedException {
        return groups.write(ROW, values(orderNo)).updateCount() == 1;
    }

    /** Answers when the row is durable; the thread goes back to the server until then. */
    @PostMapping("/submit-later")
    CompletableFuture<Boolean> submitLater(
            @RequestParam(name = "order_no", required = false) @Nullable String orderNo) {
        return groups.submit(ROW, values(orderNo)).thenApply(outcome -> outcome.updateCount() == 1);
    }

    /** Answers when the row is durable. */
    @PostMapping("/submit2")
    boolean submit2(@RequestParam(name = "order_no", required = false) @Nullable String orderNo) {
        return jdbc.update(INSERT, values(orderNo)) == 1;
    }

    /** Answers at once: what HTTP allows where nothing is written. */
    @PostMapping("/nothing")
    boolean nothing() {
        return true;
    }

    private static Object[] values(@Nullable String orderNo) {
        return new Object[] {
            orderNo == null ? UUID.randomUUID().toString() : orderNo,
            SOMEBODY,
            SOMEBODY,
            SOMEBODY,
            BigDecimal.valueOf(123123)
        };
    }
}

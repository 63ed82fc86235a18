package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.MissingKey;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.MergedUpdate;
import io.github.collapseexecutor.jdbc.MergedUpdates;
import io.github.collapseexecutor.jdbc.RowStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Takes orders together: one query reads the products of all who ask, one update deducts what they want of a product, one
 * batch inserts their orders.
 *
 * <p>The deduction and the order are two commits. If the order cannot be inserted, what was deducted is put back; if the
 * process dies between the two, the pieces are missing from the stock and nobody has ordered them: never sold twice.
 */
@Component
class CollapsedOrders {

    private static final MergedUpdate<Long, Integer> DEDUCTION = MergedUpdate.<Long, Integer>of(
                    "UPDATE inventory SET balance = balance - ? WHERE goods_id = ? AND balance >= ?",
                    (update, goodsId, count) -> {
                        update.setInt(1, count);
                        update.setLong(2, goodsId);
                        update.setInt(3, count);
                    },
                    Integer::sum)
            .reading(
                    "SELECT balance FROM inventory WHERE goods_id = ?",
                    (query, goodsId) -> query.setLong(1, goodsId),
                    row -> {
                        int balance = row.getInt(1);
                        return count -> count <= balance;
                    });

    // immutable
    private final JdbcTemplate jdbc;
    private final OrderIds ids;
    private final BlockingCollapseExecutor<Long, @Nullable Goods> goods;
    private final MergedUpdates<Long, Integer> stock;
    private final GroupCommit orders;
    private final RowStatement insert;

    CollapsedOrders(DataSource dataSource, JdbcTemplate jdbc, GroupCommit orders, OrderIds ids, Shop shop) {
        this.jdbc = jdbc;
        this.ids = ids;
        this.orders = orders;
        goods = CollapseExecutors.blockingByKey(
                this::read,
                MissingKey.NULL,
                CollapseOptions.builder().name("goods").maxConcurrentBatches(1).build());
        stock = new MergedUpdates<>(dataSource, DEDUCTION);
        insert = RowStatement.of(
                "INSERT INTO " + shop.order() + " (id, user_id, goods_id, count, amount) VALUES (?, ?, ?, ?, ?)");
    }

    long submit(long userId, long goodsId, int count) throws Exception {
        Goods found = goods.execute(goodsId);
        if (found == null) {
            throw new OrderRefusedException(HttpStatus.NOT_FOUND, "There are no goods " + goodsId);
        }
        int amount = Math.multiplyExact(found.price(), count);
        if (!stock.execute(goodsId, count)) {
            throw new OrderRefusedException(HttpStatus.CONFLICT, "There are fewer than " + count + " of " + goodsId);
        }
        long id = ids.next();
        try {
            orders.execute(insert, id, userId, goodsId, count, amount);
        } catch (SQLException notInserted) {
            // An unknown outcome is another exception: then the order may be there, and its pieces must not come back.
            putBack(goodsId, count, notInserted);
            throw notInserted;
        }
        return id;
    }

    private void putBack(long goodsId, int count, Exception why) {
        try {
            jdbc.update("UPDATE inventory SET balance = balance + ? WHERE goods_id = ?", count, goodsId);
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    private Map<Long, Goods> read(Collection<Long> ids) {
        Map<Long, Goods> found = new HashMap<>();
        jdbc.query(
                "SELECT id, name, price FROM goods WHERE id IN ("
                        + String.join(", ", Collections.nCopies(ids.size(), "?")) + ")",
                row -> {
                    Goods one = new Goods(row.getLong(1), row.getString(2), row.getInt(3));
                    found.put(one.id(), one);
                },
                ids.toArray());
        return found;
    }
}

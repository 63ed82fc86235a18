package io.github.collapseexecutor.sample.groupcommit;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Takes each order by itself: reads the product, reads and deducts its stock and inserts the order, in one transaction. */
@Component
class PlainOrders {

    // immutable
    private final JdbcTemplate jdbc;
    private final OrderIds ids;
    private final String insert;

    PlainOrders(JdbcTemplate jdbc, OrderIds ids, Shop shop) {
        this.jdbc = jdbc;
        this.ids = ids;
        this.insert = "INSERT INTO " + shop.order() + " (id, user_id, goods_id, count, amount) VALUES (?, ?, ?, ?, ?)";
    }

    @Transactional(rollbackFor = Exception.class)
    public long submit(long userId, long goodsId, int count) throws OrderRefusedException {
        List<Integer> prices = jdbc.queryForList("SELECT price FROM goods WHERE id = ?", Integer.class, goodsId);
        if (prices.isEmpty()) {
            throw OrderRefusedException.unknown(goodsId);
        }
        List<Integer> balances =
                jdbc.queryForList("SELECT balance FROM inventory WHERE goods_id = ?", Integer.class, goodsId);
        if (balances.isEmpty() || balances.get(0) < count) {
            throw OrderRefusedException.outOfStock(goodsId, count);
        }
        long amount = Math.multiplyFull(prices.get(0), count);
        if (amount > Integer.MAX_VALUE) {
            throw OrderRefusedException.tooExpensive(goodsId, count);
        }
        int deducted = jdbc.update(
                "UPDATE inventory SET balance = balance - ? WHERE goods_id = ? AND balance >= ?",
                count,
                goodsId,
                count);
        if (deducted == 0) {
            throw OrderRefusedException.outOfStock(goodsId, count);
        }
        long id = ids.next();
        jdbc.update(insert, id, userId, goodsId, count, amount);
        return id;
    }
}

package io.github.collapseexecutor.sample.groupcommit;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes orders together: while one batch of orders is being taken, the next one gathers, and each is one transaction, which
 * reads the products, locks their stock, deducts from it what fits, in order of submission, and inserts the orders.
 *
 * <p>An order that is refused changes nothing and harms no other: what is in stock is known, and locked, before anything is
 * written. A failure of the transaction fails all orders, since it is no order's own.
 */
@Component
class CollapsedOrders {

    private static final CollapseOptions ONE_BATCH_AT_A_TIME = CollapseOptions.builder()
            .name("orders")
            .maxConcurrentBatches(1)
            .maxBatchSize(200)
            .build();

    private record Order(long userId, long goodsId, int count) {}

    /** The number of an order, or why it was not taken. */
    private record Decision(long id, @Nullable OrderRefusedException refusal) {}

    // immutable
    private final JdbcTemplate jdbc;
    private final OrderIds ids;
    private final String insert;
    private final FutureCollapseExecutor<Order, Decision> batches;

    CollapsedOrders(JdbcTemplate jdbc, PlatformTransactionManager transactions, OrderIds ids, Shop shop) {
        this.jdbc = jdbc;
        this.ids = ids;
        insert = "INSERT INTO " + shop.order() + " (id, user_id, goods_id, count, amount) VALUES (?, ?, ?, ?, ?)";
        TransactionTemplate transaction = new TransactionTemplate(transactions);
        batches = CollapseExecutors.asyncInOrder(
                orders -> requireNonNull(transaction.execute(status -> take(orders))), ONE_BATCH_AT_A_TIME);
    }

    /** The order's number, when it is durable. */
    CompletableFuture<Long> submit(long userId, long goodsId, int count) {
        return batches.execute(new Order(userId, goodsId, count)).thenApply(decision -> {
            if (decision.refusal() != null) {
                throw new CompletionException(decision.refusal());
            }
            return decision.id();
        });
    }

    private List<Decision> take(List<Order> orders) {
        List<Long> goods = orders.stream().map(Order::goodsId).distinct().toList();
        Map<Long, Integer> prices = numbers("SELECT id, price FROM goods WHERE id IN (%s)", goods);
        Map<Long, Integer> stock = numbers(
                "SELECT goods_id, balance FROM inventory WHERE goods_id IN (%s) ORDER BY goods_id FOR UPDATE", goods);
        Map<Long, Integer> left = new TreeMap<>();
        List<Object[]> rows = new ArrayList<>();
        List<Decision> decisions = new ArrayList<>();
        for (Order order : orders) {
            long goodsId = order.goodsId();
            Integer price = prices.get(goodsId);
            int balance = left.getOrDefault(goodsId, stock.getOrDefault(goodsId, 0));
            if (price == null) {
                decisions.add(refused(OrderRefusedException.unknown(goodsId)));
            } else if (balance < order.count()) {
                decisions.add(refused(OrderRefusedException.outOfStock(goodsId, order.count())));
            } else if (Math.multiplyFull(price, order.count()) > Integer.MAX_VALUE) {
                decisions.add(refused(OrderRefusedException.tooExpensive(goodsId, order.count())));
            } else {
                long id = ids.next();
                int amount = price * order.count();
                left.put(goodsId, balance - order.count());
                rows.add(new Object[] {id, order.userId(), goodsId, order.count(), amount});
                decisions.add(new Decision(id, null));
            }
        }
        if (!rows.isEmpty()) {
            jdbc.batchUpdate(
                    "UPDATE inventory SET balance = ? WHERE goods_id = ?",
                    left.entrySet().stream()
                            .map(one -> new Object[] {one.getValue(), one.getKey()})
                            .toList());
            jdbc.batchUpdate(insert, rows);
        }
        return decisions;
    }

    private static Decision refused(OrderRefusedException refusal) {
        return new Decision(0, refusal);
    }

    /** A number for each product, by a query of two columns. */
    private Map<Long, Integer> numbers(String query, List<Long> goods) {
        Map<Long, Integer> numbers = new HashMap<>();
        jdbc.query(
                String.format(query, String.join(", ", Collections.nCopies(goods.size(), "?"))),
                row -> {
                    numbers.put(row.getLong(1), row.getInt(2));
                },
                goods.toArray());
        return numbers;
    }
}

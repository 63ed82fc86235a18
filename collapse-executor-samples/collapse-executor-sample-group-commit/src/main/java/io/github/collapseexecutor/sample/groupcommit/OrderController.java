package io.github.collapseexecutor.sample.groupcommit;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes orders: {@code /order/submit} together, {@code /order/submit2} one by one, {@code /order/submit3} one by one and so many at a time. All answer
 * with the order's number.
 */
@RestController
class OrderController {

    // immutable
    private final CollapsedOrders collapsed;
    private final PlainOrders plain;
    private final LimitedOrders limited;

    OrderController(CollapsedOrders collapsed, PlainOrders plain, LimitedOrders limited) {
        this.collapsed = collapsed;
        this.plain = plain;
        this.limited = limited;
    }

    @PostMapping("/order/submit")
    long submit(
            @RequestParam("user_id") long userId,
            @RequestParam("goods_id") long goodsId,
            @RequestParam("count") int count)
            throws Exception {
        check(count);
        return collapsed.submit(userId, goodsId, count).get();
    }

    @PostMapping("/order/submit2")
    long submit2(
            @RequestParam("user_id") long userId,
            @RequestParam("goods_id") long goodsId,
            @RequestParam("count") int count)
            throws Exception {
        check(count);
        return plain.submit(userId, goodsId, count);
    }

    @PostMapping("/order/submit3")
    long submit3(
            @RequestParam("user_id") long userId,
            @RequestParam("goods_id") long goodsId,
            @RequestParam("count") int count)
            throws Exception {
        check(count);
        return limited.submit(userId, goodsId, count);
    }

    static void check(int count) throws OrderRefusedException {
        if (count < 1 || count > 1_000) {
            throw new OrderRefusedException(
                    HttpStatus.BAD_REQUEST, "count is " + count + ": order from 1 to 1000 pieces");
        }
    }
}

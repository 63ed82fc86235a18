package io.github.collapseexecutor.sample.groupcommit;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** What the users of a load run do; each in two ways, with the same result. */
enum LoadScenario {
    ROWS("rows", "/submit2", "/submit") {
        @Override
        String query(String id) {
            return "?order_no=" + id;
        }
    },

    ORDERS("orders of 1 000 products", "/order/submit2", "/order/submit") {
        @Override
        String query(String id) {
            return order(ThreadLocalRandom.current().nextLong(Shop.FIRST_GOODS, Shop.LAST_GOODS + 1));
        }
    },

    HOT_PRODUCT("orders of one product", "/order/submit2", "/order/submit") {
        @Override
        String query(String id) {
            return order(Shop.FIRST_GOODS);
        }
    };

    /** How it is written. */
    enum Way {
        PLAIN,
        COLLAPSED
    }

    // immutable
    private final String title;
    private final String plain;
    private final String collapsed;

    LoadScenario(String title, String plain, String collapsed) {
        this.title = title;
        this.plain = plain;
        this.collapsed = collapsed;
    }

    String title() {
        return title;
    }

    /** Whether the answer is the number of an order; else the request names its row. */
    boolean isOrder() {
        return this != ROWS;
    }

    /** A name for the row of a request. */
    static String newId() {
        return UUID.randomUUID().toString();
    }

    /** Path and query of a request. */
    String request(Way way, String id) {
        return (way == Way.PLAIN ? plain : collapsed) + query(id);
    }

    abstract String query(String id);

    private static String order(long goodsId) {
        long userId = ThreadLocalRandom.current().nextLong(Shop.FIRST_GOODS, Shop.LAST_GOODS + 1);
        return "?user_id=" + userId + "&goods_id=" + goodsId + "&count=1";
    }
}

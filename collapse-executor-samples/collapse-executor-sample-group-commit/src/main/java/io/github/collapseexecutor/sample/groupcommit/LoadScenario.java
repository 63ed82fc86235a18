package io.github.collapseexecutor.sample.groupcommit;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** What the users of a load run do; each one by one and collapsed, with the same result. */
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
        PLAIN("one by one"),
        COLLAPSED("collapsed"),
        /** Not at all: the same request, answered at once, is as fast as HTTP can be. */
        NOTHING("nothing written"),
        LIMITED("one by one, limited");

        // immutable
        private final String title;

        Way(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
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

    /** The ways to be compared. */
    List<Way> ways() {
        return isOrder() ? List.of(Way.PLAIN, Way.COLLAPSED) : List.of(Way.PLAIN, Way.COLLAPSED, Way.NOTHING);
    }

    /** Path and query of a request. */
    String request(Way way, String id) {
        String path = switch (way) {
            case PLAIN -> plain;
            case COLLAPSED -> collapsed;
            case NOTHING -> "/nothing";
            case LIMITED -> "/order/submit3";
        };
        return path + query(id);
    }

    abstract String query(String id);

    private static String order(long goodsId) {
        long userId = ThreadLocalRandom.current().nextLong(Shop.FIRST_GOODS, Shop.LAST_GOODS + 1);
        return "?user_id=" + userId + "&goods_id=" + goodsId + "&count=1";
    }
}

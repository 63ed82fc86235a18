package io.github.collapseexecutor.sample.groupcommit;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * The tables of the shop, made anew with every start: 1 002 products with a stock of 10 each, their orders, and the rows of
 * {@code /submit}.
 */
@Component
class Shop {

    /** The products that are like one another. */
    static final long FIRST_GOODS = 101;

    static final long LAST_GOODS = 1100;
    private static final int FIRST_STOCK = 10;

    // immutable
    private final JdbcTemplate jdbc;
    private final String order;

    Shop(DataSource dataSource, JdbcTemplate jdbc) throws SQLException {
        this.jdbc = jdbc;
        try (Connection connection = dataSource.getConnection()) {
            String quote = connection.getMetaData().getIdentifierQuoteString();
            order = quote + "order" + quote; // a word of SQL
        }
        create();
    }

    /** The table of orders, as it has to be written in SQL. */
    String order() {
        return order;
    }

    private void create() {
        for (String table : new String[] {"goods", "inventory", order, "order_info"}) {
            jdbc.execute("DROP TABLE IF EXISTS " + table);
        }
        jdbc.execute("""
                CREATE TABLE goods (
                  id BIGINT NOT NULL PRIMARY KEY,
                  name VARCHAR(30),
                  price INT DEFAULT 0 NOT NULL)""");
        jdbc.execute("""
                CREATE TABLE inventory (
                  goods_id BIGINT NOT NULL PRIMARY KEY,
                  balance INT DEFAULT 0 NOT NULL)""");
        jdbc.execute("CREATE TABLE " + order + """
                 (
                  id BIGINT NOT NULL PRIMARY KEY,
                  user_id BIGINT NOT NULL,
                  goods_id BIGINT NOT NULL,
                  count INT DEFAULT 0 NOT NULL,
                  amount INT DEFAULT 0 NOT NULL)""");
        jdbc.execute("""
                CREATE TABLE order_info (
                  order_no VARCHAR(36) NOT NULL PRIMARY KEY,
                  address_id BIGINT NOT NULL,
                  merchant_id BIGINT NOT NULL,
                  user_id BIGINT NOT NULL,
                  order_amount DECIMAL(12, 2) NOT NULL)""");
        add(1, "iphone 13", 650_000);
        add(2, "xiaomi 12", 349_900);
        LongStream.rangeClosed(FIRST_GOODS, LAST_GOODS)
                .forEach(id -> add(id, "goods_" + id, (int) (200_000 + (id - 100) * 100)));
    }

    private void add(long id, String name, int price) {
        jdbc.update("INSERT INTO goods (id, name, price) VALUES (?, ?, ?)", id, name, price);
        jdbc.update("INSERT INTO inventory (goods_id, balance) VALUES (?, ?)", id, FIRST_STOCK);
    }

    /** Forgets all orders and rows, and gives each product a stock. */
    void restock(int balance) {
        jdbc.execute("TRUNCATE TABLE " + order); // leaves nothing to be cleaned up while others are measured
        jdbc.execute("TRUNCATE TABLE order_info");
        jdbc.update("UPDATE inventory SET balance = ?", balance);
    }

    /** Pieces of all products together. */
    long stock() {
        return number("SELECT SUM(balance) FROM inventory");
    }

    /** Pieces of all orders together. */
    long sold() {
        return number("SELECT COALESCE(SUM(count), 0) FROM " + order);
    }

    private long number(String query) {
        Long number = jdbc.queryForObject(query, Long.class);
        return number == null ? 0 : number;
    }
}

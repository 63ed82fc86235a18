package io.github.collapseexecutor.sample.groupcommit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.stereotype.Component;

/**
 * The tables of the shop, made anew with every start by {@code init-database.sql}: 1 002 products with a stock of 10 each, their
 * orders, and the rows of {@code /submit}.
 */
@Component
class Shop {

    /** The products that are like one another. */
    static final long FIRST_GOODS = 101;

    static final long LAST_GOODS = 1100;

    // immutable
    private final JdbcTemplate jdbc;
    private final String order;

    Shop(DataSource dataSource, JdbcTemplate jdbc, @Value("${shop.stock}") int stock) throws IOException, SQLException {
        if (stock < 0) {
            throw new IllegalArgumentException(
                    "shop.stock is " + stock + ": it must be 0 or more pieces of each product");
        }
        this.jdbc = jdbc;
        String quote;
        try (Connection connection = dataSource.getConnection()) {
            quote = connection.getMetaData().getIdentifierQuoteString();
        }
        order = quote + "order" + quote; // a word of SQL
        create(dataSource, quote);
        restock(stock);
    }

    /** The table of orders, as it has to be written in SQL. */
    String order() {
        return order;
    }

    private static void create(DataSource dataSource, String quote) throws IOException {
        String script = new ClassPathResource("init-database.sql")
                .getContentAsString(StandardCharsets.UTF_8)
                .replace("`", quote);
        new ResourceDatabasePopulator(new ByteArrayResource(script.getBytes(StandardCharsets.UTF_8)))
                .execute(dataSource);
    }

    /** Forgets all orders, rows and messages, and gives each product a stock. */
    void restock(int balance) {
        jdbc.execute("TRUNCATE TABLE " + order); // leaves nothing to be cleaned up while others are measured
        jdbc.execute("TRUNCATE TABLE order_info");
        jdbc.execute("TRUNCATE TABLE message");
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

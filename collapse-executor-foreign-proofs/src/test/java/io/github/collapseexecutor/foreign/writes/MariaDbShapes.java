package io.github.collapseexecutor.foreign.writes;

import static io.github.collapseexecutor.foreign.writes.Shape.numbered;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;

/** What MariaDB alone has. */
final class MariaDbShapes {

    private static final String DROP = "DROP TABLE IF EXISTS {t}";
    private static final String INSERT = "INSERT INTO {t} (tag, amount) VALUES (?, ?)";
    private static final String LOOK = "SELECT tag, amount FROM {t} ORDER BY tag, amount";
    private static final String ID = "id BIGINT AUTO_INCREMENT PRIMARY KEY, ";

    private static Shape table(String name, String columns, String behind) {
        return Shape.of(name, INSERT)
                .ddl(
                        DROP,
                        "CREATE TABLE {t} (" + ID + "tag VARCHAR(10) NOT NULL UNIQUE, amount INT" + columns + ")"
                                + behind)
                .look(LOOK)
                .value(numbered("a"), numbered("b"), numbered("c"), "same", null, "longer than ten")
                .value(1, 2, 3, 4, 5, 6, null);
    }

    private static Shape values(String type, Object... values) {
        return Shape.of(type, "INSERT INTO {t} (v, n) VALUES (?, ?)")
                .ddl(DROP, "CREATE TABLE {t} (" + ID + "v " + type + ", n INT)")
                .look("SELECT n, CAST(v AS CHAR) FROM {t} ORDER BY n, 2")
                .value(values)
                .value(numbered(""), numbered(""), numbered(""), 7);
    }

    static final List<Shape> ALL = List.of(
            table("sequence", ", s INT DEFAULT NEXTVAL(foreign_seq)", "")
                    .ddl(
                            DROP,
                            "CREATE SEQUENCE IF NOT EXISTS foreign_seq",
                            "CREATE TABLE {t} (id BIGINT PRIMARY KEY DEFAULT NEXTVAL(foreign_seq), tag VARCHAR(10) NOT NULL UNIQUE, amount INT)"),
            table("invisible", ", hidden INT INVISIBLE DEFAULT 7", "")
                    .with("", "INSERT INTO {t} VALUES (DEFAULT, ?, ?)"),
            table("versioned", "", " WITH SYSTEM VERSIONING"),
            table("versioned UPDATE", "", " WITH SYSTEM VERSIONING")
                    .with("", "UPDATE {t} SET amount = amount + 1 WHERE tag = ? OR amount = ?"),
            table("check", ", CHECK (amount <> 3)", ""),
            table("generated", ", twice INT AS (amount * 2) STORED UNIQUE", ""),
            table("virtual", ", twice INT AS (amount * 1000000000) VIRTUAL", ""),
            table("IGNORE", "", "").with("", "INSERT IGNORE INTO {t} (tag, amount) VALUES (?, ?)"),
            table("IGNORE with keys", "", "")
                    .with("", "INSERT IGNORE INTO {t} (tag, amount) VALUES (?, ?)")
                    .key("id"),
            table("REPLACE", "", "").with("", "REPLACE INTO {t} (tag, amount) VALUES (?, ?)"),
            table("REPLACE with two keys", ", UNIQUE (amount)", "")
                    .with("", "REPLACE INTO {t} (tag, amount) VALUES (?, ?)"),
            table("ON DUPLICATE KEY", "", "")
                    .with("", "INSERT INTO {t} (tag, amount) VALUES (?, ?) ON DUPLICATE KEY UPDATE amount = 5"),
            table("ON DUPLICATE KEY with keys", "", "")
                    .with("", "INSERT INTO {t} (tag, amount) VALUES (?, ?) ON DUPLICATE KEY UPDATE amount = 5")
                    .key("id"),
            table("ON DUPLICATE KEY with two keys", ", UNIQUE (amount)", "")
                    .with(
                            "",
                            "INSERT INTO {t} (tag, amount) VALUES (?, ?) ON DUPLICATE KEY UPDATE amount = amount + 10"),
            table("RETURNING", "", "")
                    .with("", "INSERT INTO {t} (tag, amount) VALUES (?, ?) RETURNING tag, amount * 2"),
            table("REPLACE RETURNING", "", "")
                    .with("", "REPLACE INTO {t} (tag, amount) VALUES (?, ?) RETURNING tag, amount * 2"),
            table("SET", "", "").with("", "INSERT INTO {t} SET tag = ?, amount = ?"),
            table("VALUE", "", "").with("", "INSERT {t} (tag, amount) VALUE (?, ?)"),
            table("lenient", "", "").session("SET sql_mode = ''"),
            table("lenient with keys", "", "").session("SET sql_mode = ''").key("id"),
            table("traditional", "", "").session("SET sql_mode = 'TRADITIONAL'"),
            table("own variable", "", "")
                    .with("", "INSERT INTO {t} (tag, amount) VALUES (?, COALESCE(?, @@warning_count))"),
            table("key told", "", "")
                    .with(
                            "",
                            "INSERT INTO {t} (tag, amount) VALUES (?, ?) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)")
                    .key("id"),
            table("trigger that warns", "", "")
                    .ddl(
                            DROP,
                            "CREATE TABLE {t} (" + ID + "tag VARCHAR(10) NOT NULL UNIQUE, amount INT)",
                            "CREATE TRIGGER {t}_w BEFORE INSERT ON {t} FOR EACH ROW BEGIN IF NEW.amount = 3 THEN SIGNAL SQLSTATE '01000'; END IF; IF NEW.amount = 4 THEN SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1205; END IF; END"),
            table("trigger that reads the last", "", "")
                    .ddl(
                            DROP,
                            "CREATE TABLE {t} (" + ID + "tag VARCHAR(10) NOT NULL UNIQUE, amount INT)",
                            "CREATE TRIGGER {t}_w BEFORE INSERT ON {t} FOR EACH ROW SET NEW.amount = (SELECT COALESCE(MAX(amount), 0) + 1 FROM {t})"),
            table("procedure", "", "")
                    .ddl(
                            DROP,
                            "CREATE TABLE {t} (" + ID + "tag VARCHAR(10) NOT NULL UNIQUE, amount INT)",
                            "DROP PROCEDURE IF EXISTS {t}_p",
                            "CREATE PROCEDURE {t}_p(a VARCHAR(30), b INT) BEGIN INSERT INTO {t} (tag, amount) VALUES (a, b); SELECT b * 2; END")
                    .with("", "CALL {t}_p(?, ?)"),
            table("no counting", "", "")
                    .session("SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'")
                    .with("", "INSERT INTO {t} (tag, amount, id) VALUES (?, ?, 0)"),
            table("partitions", "", "")
                    .ddl(
                            DROP,
                            "CREATE TABLE {t} (tag VARCHAR(10) NOT NULL, amount INT NOT NULL, UNIQUE (tag, amount)) PARTITION BY RANGE (amount) (PARTITION a VALUES LESS THAN (3), PARTITION b VALUES LESS THAN (5))"),
            table("period", "", "")
                    .ddl(
                            DROP,
                            "CREATE TABLE {t} (tag VARCHAR(10) NOT NULL, amount INT, a DATE DEFAULT '2026-01-01', b DATE DEFAULT '2026-02-01', PERIOD FOR p (a, b), UNIQUE (tag, p WITHOUT OVERLAPS))"),
            table("Aria", "", " ENGINE = Aria"),
            table("MyISAM", "", " ENGINE = MyISAM"),
            values("DATE", LocalDate.parse("2026-03-29"), "0000-00-00", "2026-02-30", "x", null),
            values(
                    "DATETIME(3)",
                    LocalDateTime.parse("2026-03-29T02:30:00.123456"),
                    new Timestamp(1),
                    "0000-00-00",
                    "x",
                    null),
            values(
                    "TIMESTAMP(6) NULL",
                    LocalDateTime.parse("2026-03-29T02:30:00.123456"),
                    new Timestamp(1),
                    "0000-00-00",
                    "x",
                    null),
            values("TIME(2)", "12:30:01.555", java.time.LocalTime.NOON, "x", null),
            values("YEAR", 2026, "70", 1, "x", null),
            values("ENUM('a', 'b')", "a", "c", 1, "2", null),
            values("SET('a', 'b')", "a", "a,b", "c", 3, null),
            values("BIT(3)", true, 5, new byte[] {7}, null),
            values("JSON", "{\"a\": 1}", "{", null),
            values("DECIMAL(6, 2)", new BigDecimal("1.005"), "1.005", 100_000, null, "x"),
            values("BLOB", "a".getBytes(StandardCharsets.UTF_8), new byte[0], "x", null),
            values("BINARY(3)", "a".getBytes(StandardCharsets.UTF_8), "abcd", null),
            values("CHAR(3)", "a", "abcd", "abc  ", null),
            values("UUID", "00000000-0000-0001-0000-000000000002", "x", null),
            values("INET6", "::1", "x", null),
            values("TINYINT(1)", true, 2, 200, "x", null),
            values("BIGINT UNSIGNED", 1L, -1L, "18446744073709551615", null),
            values("DATE", LocalDate.parse("2026-03-29"), "0000-00-00", "2026-02-30", "x", null)
                    .session("SET sql_mode = ''"),
            values("VARCHAR(3) NOT NULL", "a", "abcd", null).session("SET sql_mode = ''"),
            values("INT NOT NULL", 1, null, "x", 99_999_999_999L).session("SET sql_mode = ''"));
}

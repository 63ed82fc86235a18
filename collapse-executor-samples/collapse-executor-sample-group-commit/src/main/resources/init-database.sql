-- The tables of the shop and what it begins with. It is run with every start of the sample. For a server of one's own:
--   mariadb bmall < init-database.sql
-- The sample replaces the backquotes by the quotes of its database; all else is SQL that H2, MariaDB, MySQL and PostgreSQL know.

DROP TABLE IF EXISTS goods;
DROP TABLE IF EXISTS inventory;
DROP TABLE IF EXISTS `order`;
DROP TABLE IF EXISTS order_info;
DROP TABLE IF EXISTS message;
DROP TABLE IF EXISTS digit;

-- A product and its price.
CREATE TABLE goods (
  id BIGINT NOT NULL,
  name VARCHAR(30),
  price INT DEFAULT 0 NOT NULL,
  PRIMARY KEY (id)
);

-- How many pieces of it there are.
CREATE TABLE inventory (
  goods_id BIGINT NOT NULL,
  balance INT DEFAULT 0 NOT NULL,
  PRIMARY KEY (goods_id)
);

-- Who bought how many pieces of one product, and what they cost.
CREATE TABLE `order` (
  id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  goods_id BIGINT NOT NULL,
  count INT DEFAULT 0 NOT NULL,
  amount INT DEFAULT 0 NOT NULL,
  PRIMARY KEY (id)
);

-- The rows of /submit.
CREATE TABLE order_info (
  order_no VARCHAR(36) NOT NULL,
  address_id BIGINT NOT NULL,
  merchant_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  order_amount DECIMAL(12, 2) NOT NULL,
  PRIMARY KEY (order_no)
);

-- The local messages of /message, with the milliseconds since 1970 when each was written. One that is confirmed has its order, one that is void has none.
CREATE TABLE message (
  id VARCHAR(36) NOT NULL,
  text VARCHAR(200) NOT NULL,
  state VARCHAR(9) DEFAULT 'PREPARED' NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (id)
);

INSERT INTO goods (id, name, price) VALUES (1, 'iphone 13', 650000), (2, 'xiaomi 12', 349900);

-- The products 101 to 1100 are like one another; three digits count from 0 to 999.
CREATE TABLE digit (n INT NOT NULL);
INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
INSERT INTO goods (id, name, price)
  SELECT 101 + a.n * 100 + b.n * 10 + c.n,
         CONCAT('goods_', 101 + a.n * 100 + b.n * 10 + c.n),
         200000 + (1 + a.n * 100 + b.n * 10 + c.n) * 100
  FROM digit a CROSS JOIN digit b CROSS JOIN digit c;
DROP TABLE digit;

-- Ten pieces of each.
INSERT INTO inventory (goods_id, balance) SELECT id, 10 FROM goods;

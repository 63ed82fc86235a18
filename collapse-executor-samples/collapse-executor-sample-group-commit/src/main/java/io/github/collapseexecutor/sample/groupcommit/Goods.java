package io.github.collapseexecutor.sample.groupcommit;

/**
 * A product.
 *
 * @param id its number
 * @param name what it is called
 * @param price of a piece
 */
record Goods(long id, String name, int price) {}

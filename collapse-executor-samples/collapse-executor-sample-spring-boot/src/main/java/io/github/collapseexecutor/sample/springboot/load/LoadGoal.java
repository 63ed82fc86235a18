package io.github.collapseexecutor.sample.springboot.load;

import java.util.function.Predicate;

/**
 * What collapsing is to achieve.
 *
 * @param text in words
 * @param isMet whether it has
 */
record LoadGoal(String text, Predicate<LoadReport> isMet) {}

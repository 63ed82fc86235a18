package io.github.collapseexecutor.sample.groupcommit;

import org.HdrHistogram.Histogram;

/**
 * What the users met in a part of a load run.
 *
 * @param users how many there were at its end
 * @param answers what the answers took that they got, in nanoseconds
 */
record LoadInterval(int users, Histogram answers) {}

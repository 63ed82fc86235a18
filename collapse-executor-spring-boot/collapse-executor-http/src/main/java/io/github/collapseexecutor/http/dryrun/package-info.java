/**
 * Finds out what a group in {@linkplain io.github.collapseexecutor.http.DryRun dry run} would have shared: gathers requests that are sent by
 * themselves, and compares what they got.
 */
@NullMarked
package io.github.collapseexecutor.http.dryrun;

import org.jspecify.annotations.NullMarked;

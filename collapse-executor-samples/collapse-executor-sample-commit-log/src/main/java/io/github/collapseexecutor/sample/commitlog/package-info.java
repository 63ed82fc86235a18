/** An append-only, checksummed log on files, whose appends pass three overlapping stages in groups. */
@NullMarked
package io.github.collapseexecutor.sample.commitlog;

import org.jspecify.annotations.NullMarked;

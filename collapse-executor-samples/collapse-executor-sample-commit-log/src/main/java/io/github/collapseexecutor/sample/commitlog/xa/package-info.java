/** A small transactional store whose redo log and binlog are kept consistent by XA. */
@NullMarked
package io.github.collapseexecutor.sample.commitlog.xa;

import org.jspecify.annotations.NullMarked;

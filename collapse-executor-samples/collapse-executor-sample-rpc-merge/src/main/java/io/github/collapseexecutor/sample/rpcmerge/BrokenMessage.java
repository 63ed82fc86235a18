package io.github.collapseexecutor.sample.rpcmerge;

import org.jspecify.annotations.Nullable;

/**
 * A message that cannot be used; its frame and its connection can.
 *
 * @param id says whose it is, or null if not even that can be read
 * @param defect what is wrong with it, as the end of a sentence that begins with "the message"
 */
record BrokenMessage(@Nullable Long id, String defect) {}

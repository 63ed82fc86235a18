/**
 * Connections and statements that numbers are taken by. Public for other packages of the library only.
 */
@NullMarked
package io.github.collapseexecutor.jdbc.sequence;

import org.jspecify.annotations.NullMarked;

/** Charts, tables and pages for what samples and benchmarks measure, and sections of the report that they write for it. */
@NullMarked
package io.github.collapseexecutor.figures;

import org.jspecify.annotations.NullMarked;

import org.jspecify.annotations.NullMarked;

/**
 * Request collapsing: concurrent callers of the same thing share one execution.
 *
 * <p>The module, not the package, is null-marked: {@code NullMarked} names an element type that the Java 8 API lacks, and
 * this descriptor is the one source that is not compiled against it.
 */
@NullMarked
module io.github.collapseexecutor.core {
    requires static org.jspecify;

    exports io.github.collapseexecutor.core;
}

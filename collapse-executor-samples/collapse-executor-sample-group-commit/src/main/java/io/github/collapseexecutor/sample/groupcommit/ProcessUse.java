package io.github.collapseexecutor.sample.groupcommit;

import java.util.OptionalDouble;

/**
 * What a process used in a while; a figure that the system does not tell is absent.
 *
 * @param processors the time of processors, in % of what all of them have
 * @param written what it had written to the disk, in MB a second
 */
record ProcessUse(OptionalDouble processors, OptionalDouble written) {

    /** Where there is no such process. */
    static final ProcessUse UNKNOWN = new ProcessUse(OptionalDouble.empty(), OptionalDouble.empty());
}

package io.github.collapseexecutor.sample.groupcommit;

import java.util.OptionalDouble;

/**
 * A second of a ramp.
 *
 * @param second which, from 1
 * @param users how many there were at its end
 * @param perSecond answers a second
 * @param meanMillis what an answer took on average, in milliseconds; 0 if there was none
 * @param p99Millis what 99 of 100 answers took at most, in milliseconds; 0 if there was none
 * @param machine the time of all processors that was used, in %
 * @param server what the process of the users and of the server used
 * @param database what the process of the database used
 */
record RampSample(
        int second,
        int users,
        double perSecond,
        double meanMillis,
        double p99Millis,
        OptionalDouble machine,
        ProcessUse server,
        ProcessUse database) {}

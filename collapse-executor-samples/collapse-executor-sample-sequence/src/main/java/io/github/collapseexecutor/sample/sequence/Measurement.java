package io.github.collapseexecutor.sample.sequence;

/**
 * One line of the sample's table: what was done, and what was measured.
 *
 * @param source what the numbers came from
 * @param collapsing whether callers shared round trips
 * @param callers how many callers there were at a time
 * @param numbers how many numbers they took together
 * @param roundTrips how many round trips to the database these took
 * @param nanos how long all of it took, in nanoseconds
 * @param repeated how many numbers were given more than once
 */
public record Measurement(
        String source, boolean collapsing, int callers, int numbers, long roundTrips, long nanos, long repeated) {

    /** Returns how many round trips were made for 1 000 numbers. */
    public double roundTripsPerThousand() {
        return 1_000.0 * roundTrips / numbers;
    }

    /** Returns how many numbers were given in a second. */
    public double numbersPerSecond() {
        return 1e9 * numbers / nanos;
    }
}

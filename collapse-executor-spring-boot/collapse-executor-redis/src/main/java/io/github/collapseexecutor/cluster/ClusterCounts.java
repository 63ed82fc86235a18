package io.github.collapseexecutor.cluster;

/**
 * What became of the batches of this instance whose calls are to be shared, since the {@link ClusterCalls} were created. Of functions by key,
 * each key of a batch counts.
 *
 * @param led batches whose call was made for the cluster
 * @param taken batches that got the result of another instance
 * @param alone batches whose call was made for this instance alone, for any of the four reasons below
 * @param unavailable of those alone: because Redis did not answer in time, failed, was known to do so, or because of {@link ClusterCalls#pause}
 * @param failedElsewhere of those alone: because another instance's call failed with what cannot be shared, or took longer than
 *     {@code maxWait}, or because calls have failed lately
 * @param notShareable of those alone: because results of the call cannot be shared, or one could not be read
 * @param tooShort of those alone: because calls of the key take no longer than it takes to ask for another instance's result
 * @param available whether Redis is asked at present; false after failures, until one call in a while finds it usable, and during a pause
 */
public record ClusterCounts(
        long led,
        long taken,
        long alone,
        long unavailable,
        long failedElsewhere,
        long notShareable,
        long tooShort,
        boolean available) {}

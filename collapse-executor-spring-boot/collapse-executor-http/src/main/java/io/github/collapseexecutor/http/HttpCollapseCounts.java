package io.github.collapseexecutor.http;

/**
 * How much is in HTTP adapters at a moment.
 *
 * @param adapters how many adapters there are
 * @param callers how many requests are gathered, or are in a call or wait for one
 * @param gathering how many of them stand in a batch that has not started
 * @param batchesInFlight how many batches have started and have not ended
 * @param groups how many keys have a batch that gathers or is in flight
 * @param passingKeys how many keys pass, because the last response was of no use to others (H21)
 */
public record HttpCollapseCounts(
        int adapters, int callers, int gathering, int batchesInFlight, int groups, int passingKeys) {

    static final HttpCollapseCounts NONE = new HttpCollapseCounts(0, 0, 0, 0, 0, 0);

    HttpCollapseCounts plus(HttpCollapseCounts other) {
        return new HttpCollapseCounts(
                adapters + other.adapters,
                callers + other.callers,
                gathering + other.gathering,
                batchesInFlight + other.batchesInFlight,
                groups + other.groups,
                passingKeys + other.passingKeys);
    }
}

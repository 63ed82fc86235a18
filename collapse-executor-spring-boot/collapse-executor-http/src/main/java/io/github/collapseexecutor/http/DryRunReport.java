package io.github.collapseexecutor.http;

import java.util.List;
import java.util.Map;

/**
 * What the {@linkplain DryRun dry run} of one group has found so far. A pair is a request and the one whose response it would
 * have got.
 *
 * @param requests requests of the group that might have shared a call
 * @param shared requests that another's response would have answered: so many calls would have been saved
 * @param notShared requests that would have waited for another's response and would not have got it, or whose key passes, by
 *     reason
 * @param refused requests that would have been refused, because {@code maxPending} others were waiting
 * @param compared pairs whose responses were compared, a sample of {@code shared}
 * @param different pairs with different responses: so many requests would have got a wrong one
 * @param unexplained of these, the pairs whose requests differ in nothing: such a response changes by itself
 * @param parts in what the different pairs differ, each with its number of pairs: {@code status}, {@code body},
 *     {@code header x}
 * @param explanations what in the requests explains the differences, the best explanation first; at most three
 */
public record DryRunReport(
        long requests,
        long shared,
        Map<Reason, Long> notShared,
        long refused,
        long compared,
        long different,
        long unexplained,
        Map<String, Long> parts,
        List<Explanation> explanations) {

    /**
     * A header or query parameter that the group's policy ignores, and that may be what the responses depend on.
     *
     * @param name {@code header x} or {@code query x}
     * @param different pairs with different responses whose requests differ in it
     * @param same pairs with equal responses whose requests differ in it
     */
    public record Explanation(String name, long different, long same) {}
}

package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.LeaderFailurePolicy;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * How a client is set up.
 *
 * @param follows whether the transport follows redirects
 * @param otherPlace whether it collapses at the second of the two places that its library has, or is asked in the second of two ways
 * @param otherLibrary whether it is a RestClient and no RestTemplate
 * @param onFailure what a failure of the leader means, or nothing for the default
 */
record LabClient(boolean follows, boolean otherPlace, boolean otherLibrary, Optional<LeaderFailurePolicy> onFailure) {

    /** The plainest one; a server has no other. */
    static final LabClient PLAIN = new LabClient(false, false, false, Optional.empty());

    static LabClient of(Random random) {
        List<LeaderFailurePolicy> policies = List.of(LeaderFailurePolicy.values());
        return new LabClient(
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                Optional.of(policies.get(random.nextInt(policies.size()))));
    }

    /** The same with one part plainer, for each part. */
    Stream<LabClient> smaller() {
        return Stream.of(
                        new LabClient(false, otherPlace, otherLibrary, onFailure),
                        new LabClient(follows, false, otherLibrary, onFailure),
                        new LabClient(follows, otherPlace, false, onFailure),
                        new LabClient(follows, otherPlace, otherLibrary, Optional.empty()))
                .filter(other -> !other.equals(this));
    }
}

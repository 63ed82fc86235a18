package io.github.collapseexecutor.foreign.redis;

import io.github.collapseexecutor.cluster.ClusterOptions;
import io.github.collapseexecutor.core.JoinMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * One set-up, drawn from a seed.
 *
 * @param topology how the servers stand
 * @param client what the instances reach them by
 * @param trouble what happens
 * @param way how calls are shared
 * @param join which calls may be joined
 * @param ratio how many calls there are at a time
 * @param callMillis what a call takes
 * @param size of a value
 * @param allRights whether the user may do everything, or what the guide names
 */
record SetUp(
        long seed,
        Topology topology,
        Client client,
        Trouble trouble,
        Way way,
        JoinMode join,
        double ratio,
        int callMillis,
        int size,
        boolean allRights) {

    /** How calls are shared. */
    enum Way {
        CALL,
        STAGE,
        KEYS,
        KEYS_STAGE
    }

    /** Shorter calls may be made without Redis. */
    private static final int WORTH_IT = 20;

    private static final byte[] SECRET = "a secret of the proofs".getBytes(StandardCharsets.UTF_8);

    static SetUp of(long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        Topology topology = pick(
                random,
                List.of(
                        Topology.ALONE,
                        Topology.ALONE,
                        Topology.ALONE,
                        Topology.TLS,
                        Topology.SENTINEL,
                        Topology.CLUSTER));
        return new SetUp(
                seed,
                topology,
                pick(
                        random,
                        Arrays.stream(Client.values())
                                .filter(client -> client.fits(topology))
                                .toList()),
                pick(
                        random,
                        Arrays.stream(Trouble.values())
                                .filter(trouble -> trouble.fits(topology))
                                .toList()),
                pick(random, List.of(Way.values())),
                pick(random, List.of(JoinMode.values())),
                pick(random, List.of(0.1, 0.1, 0.5)),
                pick(random, List.of(2, WORTH_IT, WORTH_IT, 60)),
                pick(random, List.of(0, 0, 0, 100_000)),
                random.nextInt(3) == 0);
    }

    private static <T> T pick(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    boolean isWorthSharing() {
        return callMillis >= WORTH_IT;
    }

    ClusterOptions options() {
        return ClusterOptions.builder(SECRET)
                .prefix("proofs")
                .joinMode(join)
                .maxWaitRatio(ratio)
                .build();
    }
}

package io.github.collapseexecutor.benchmark;

import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.simple.RandomSource;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** What callers ask for if few keys are asked for often and many seldom: a sequence drawn beforehand, the same in every run. */
@State(Scope.Benchmark)
public class ZipfKeys {

    static final int LENGTH = 1 << 20;

    private static final long SEED = 20_261_121;

    /** How many keys there are. */
    @Param({"1", "1000", "1000000"})
    public int keys;

    /** How uneven they are asked for: the k-th most frequent one in proportion to 1 / k to this power. */
    @Param("0.99")
    public double exponent;

    // mutable; set before the callers start
    private Integer[] sequence = {};

    /** Draws the sequence. */
    @Setup(Level.Trial)
    public void draw() {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);
        DiscreteSampler sampler = RejectionInversionZipfSampler.of(random, keys, exponent);
        // One object for each key, as if callers had it from a table of products.
        Integer[] key = IntStream.rangeClosed(0, keys).boxed().toArray(Integer[]::new);
        sequence =
                IntStream.range(0, LENGTH).mapToObj(i -> key[sampler.sample()]).toArray(Integer[]::new);
    }

    Integer at(int place) {
        return sequence[place & (LENGTH - 1)];
    }

    /** Where a caller stands in the sequence; the callers begin at places as far apart as can be. */
    @State(Scope.Thread)
    public static class Place {

        // mutable, confined to the caller
        private int next;

        /** Puts the caller at its first place. */
        @Setup(Level.Trial)
        public void begin(ThreadParams caller) {
            next = LENGTH / caller.getThreadCount() * caller.getThreadIndex();
        }

        Integer nextOf(ZipfKeys keys) {
            return keys.at(next++);
        }
    }
}

package io.github.collapseexecutor.benchmark;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Many threads that ask for keys of a Zipf distribution: some of them hot, most of them hardly ever asked for. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@Threads(64)
public class ZipfBenchmark {

    /** One call of one of the threads, for its next key. */
    @Benchmark
    public Object call(Comparison way, ZipfKeys keys, ZipfKeys.Place place, Backend backend) throws Exception {
        return backend.callThrough(way, place.nextOf(keys));
    }
}

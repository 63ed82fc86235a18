package io.github.collapseexecutor.sample.cluster;

import io.github.collapseexecutor.figures.Section;
import io.github.collapseexecutor.figures.SectionFile;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.RedisServer;

/**
 * Instances of an application, as processes, have many callers that ask for the same thing, on a Redis that this process starts. A table
 * shows how many calls the backend gets: without collapsing, with collapsing in each instance, and with calls that all instances share,
 * also while Redis stops.
 */
public final class ClusterSample implements AutoCloseable {

    // immutable
    private final SampleOptions options;
    private final RedisServer redis;
    private final Backend backend;
    private final List<InstanceProcess> instances = new ArrayList<>();

    private ClusterSample(SampleOptions options) throws IOException {
        this.options = options;
        int port = freePort();
        redis = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
        redis.start();
        backend = new Backend();
        for (int i = 0; i < options.instances(); i++) {
            instances.add(new InstanceProcess(port, backend.url()));
        }
        for (InstanceProcess instance : instances) {
            instance.awaitStart();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Arguments: {@code --instances=3 --callers=50 --seconds=4}. The exit status is 1 if anything was wrong. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        SampleOptions options = SampleOptions.parse(arguments);
        Section section = ClusterReport.section(options, measure(options));
        System.out.println(section.tables().get(0).aligned(1));
        System.out.println("""
                without           every caller calls the backend
                in each instance  callers of one instance share calls
                across instances  callers of all instances share calls, through Redis
                per 1 000         backend calls for 1 000 answers
                too old           answers that the backend had begun before their caller asked""");
        SectionFile.offer(List.of(section));
        section.mistakes().forEach(System.out::println);
        System.exit(section.mistakes().isEmpty() ? 0 : 1);
    }

    static List<Measurement> measure(SampleOptions options) throws IOException, InterruptedException {
        // The headers and the body of an answer are two writes: the second must not wait for an acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        try (ClusterSample sample = new ClusterSample(options)) {
            for (Sharing sharing : Sharing.values()) {
                List<LoadResult> unused = sample.load(sharing, options.lasting().dividedBy(2)); // warms up
            }
            List<Measurement> measurements = new ArrayList<>();
            for (Sharing sharing : Sharing.values()) {
                measurements.add(sample.measure(sharing.toString(), sharing, false));
            }
            measurements.add(sample.measure("across, Redis stops", Sharing.CLUSTER, true));
            return measurements;
        }
    }

    private Measurement measure(String way, Sharing sharing, boolean stopsRedis)
            throws IOException, InterruptedException {
        long before = backend.calls();
        order(sharing, options.lasting());
        if (stopsRedis) {
            Thread.sleep(options.lasting().dividedBy(2).toMillis());
            redis.stop();
        }
        LoadResult result = LoadResult.ofAll(results());
        return new Measurement(way, result, backend.calls() - before, options.lasting());
    }

    private List<LoadResult> load(Sharing sharing, Duration lasting) throws IOException {
        order(sharing, lasting);
        return results();
    }

    private void order(Sharing sharing, Duration lasting) {
        instances.forEach(instance -> instance.order(sharing, options.callers(), lasting));
    }

    private List<LoadResult> results() throws IOException {
        List<LoadResult> results = new ArrayList<>();
        for (InstanceProcess instance : instances) {
            results.add(instance.result());
        }
        return results;
    }

    @Override
    public void close() throws IOException {
        instances.forEach(InstanceProcess::close);
        backend.close();
        redis.stop();
    }
}

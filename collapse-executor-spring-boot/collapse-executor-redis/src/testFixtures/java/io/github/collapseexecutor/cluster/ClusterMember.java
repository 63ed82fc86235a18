package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.JoinMode;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * An instance of an application as a process. It reads orders from its input, a line each, and writes what came of them to its
 * output: {@code once KEY}, and {@code load CALLERS MILLIS WRITE_PERCENT SHARED}.
 */
public final class ClusterMember {

    private final PrintStream out;
    private final ClusterCalls calls;
    private final ClusterBackend.Client backend;

    private ClusterMember(PrintStream out, ClusterCalls calls, ClusterBackend.Client backend) {
        this.out = out;
        this.calls = calls;
        this.backend = backend;
    }

    /** Takes the port of Redis, the address of the backend, the join mode, the ratio and the milliseconds of a lease. */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // for what libraries log
        ClusterOptions options = Instance.options()
                .joinMode(JoinMode.valueOf(arguments[2]))
                .maxWaitRatio(Double.parseDouble(arguments[3]))
                .lease(Duration.ofMillis(Long.parseLong(arguments[4])))
                .maxWait(Duration.ofSeconds(20))
                .build();
        ClusterMember member = new ClusterMember(
                out,
                new ClusterCalls(ClusterRedis.connectionFactory(Integer.parseInt(arguments[0])), options),
                new ClusterBackend.Client(arguments[1]));
        // Warm: what the test measures or kills is not the start of a JVM.
        member.calls
                .shared("warm " + ProcessHandle.current().pid(), () -> 1L, RegisterLoad.NUMBER)
                .call();
        out.println("ready");
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            String[] words = order.split(" ", -1);
            new Thread(() -> member.obey(words)).start();
        }
        System.exit(0); // the test has ended
    }

    private void obey(String[] words) {
        try {
            out.println(
                    words[0].equals("once")
                            ? once(words[1])
                            : load(
                                    Integer.parseInt(words[1]),
                                    Long.parseLong(words[2]),
                                    Integer.parseInt(words[3]),
                                    Boolean.parseBoolean(words[4])));
        } catch (Exception failure) {
            out.println("failed: " + failure);
        }
    }

    private String once(String key) throws Exception {
        return calls.shared(
                        key,
                        () -> backend.get("/hold/" + ProcessHandle.current().pid()),
                        Instance.TEXT)
                .call();
    }

    private String load(int callers, long millis, int writePercent, boolean shared) throws Exception {
        RegisterLoad load = new RegisterLoad(backend, writePercent, callers, List.of(calls), shared);
        Thread.sleep(millis);
        load.end();
        if (!load.failures().isEmpty()) {
            load.failures().element().printStackTrace(); // the test is told their number
        }
        return load.answers() + " " + load.failures().size() + " " + load.stale() + " " + load.microsOf(0.5);
    }
}

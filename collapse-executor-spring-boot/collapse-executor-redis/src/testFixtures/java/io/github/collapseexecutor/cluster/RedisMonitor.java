package io.github.collapseexecutor.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Reads every command that a Redis is sent, with its arguments, and those of its scripts, for texts that must not be there. */
public final class RedisMonitor implements AutoCloseable {

    // immutable
    private final Socket socket;
    private final List<String> texts;

    // mutable, thread-safe
    private final AtomicLong commands = new AtomicLong();
    private final Queue<String> found = new ConcurrentLinkedQueue<>();

    public RedisMonitor(int port, List<String> texts) throws IOException {
        this.texts = texts;
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
        Thread reader = new Thread(this::read, "monitor");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                commands.incrementAndGet();
                texts.stream().filter(line::contains).forEach(found::add);
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    /** How many lines were read, with the first, which says that the monitor works. */
    public long commands() {
        return commands.get();
    }

    public List<String> found() {
        return List.copyOf(found);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

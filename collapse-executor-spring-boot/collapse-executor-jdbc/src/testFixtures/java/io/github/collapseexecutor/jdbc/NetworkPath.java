package io.github.collapseexecutor.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** The network between a client and a database server, which breaks when a certain text is sent: once, then it works again. */
final class NetworkPath implements AutoCloseable {

    /** Where a connection breaks: before the text is passed on, or when its answer comes back. */
    record Break(String text, boolean afterTheServerHasActed) {}

    // immutable
    private final ServerSocket entrance;
    private final int serverPort;
    private final CountDownLatch closed = new CountDownLatch(1);

    // mutable, by CAS: set by the test, null again when it has happened
    private final AtomicReference<Break> next = new AtomicReference<>();

    /** Set by the test: from the text on that holds it, nothing passes any more, though nothing breaks. */
    private final AtomicReference<String> silence = new AtomicReference<>();

    /** Set by the test, false again when it has happened: nothing passes any more, from what is sent next until the client gives up. */
    private final AtomicBoolean silenceOnce = new AtomicBoolean();

    NetworkPath(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::acceptAll);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    String through(String url) {
        return url.replace(":" + serverPort + "/", ":" + entrance.getLocalPort() + "/");
    }

    void breakAt(String text, boolean afterTheServerHasActed) {
        next.set(new Break(text, afterTheServerHasActed));
    }

    /** Has the server be silent from a text on, on the connection over which that is sent. */
    void fallSilentAt(String text) {
        silence.set(text);
    }

    /** Breaks at what is sent next, on whichever connection. */
    void breakNext(boolean afterTheServerHasActed) {
        breakAt("", afterTheServerHasActed);
    }

    /** Has the server be silent from what is sent next, until the client closes the connection. */
    void fallSilentNext() {
        silenceOnce.set(true);
    }

    /** Forgets what has not happened. */
    void heal() {
        next.set(null);
        silenceOnce.set(false);
    }

    boolean hasBroken() {
        return next.get() == null;
    }

    private void acceptAll() {
        while (!entrance.isClosed()) {
            try {
                accept(entrance.accept(), new Socket(InetAddress.getLoopbackAddress(), serverPort));
            } catch (IOException closed) {
                return; // by the test, which is over
            }
        }
    }

    private void accept(Socket client, Socket server) throws IOException {
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        AtomicBoolean answerIsLost = new AtomicBoolean();
        start(() -> pass(client, server, bytes -> {
            String silent = silence.get();
            if (silent != null && new String(bytes, StandardCharsets.ISO_8859_1).contains(silent)) {
                holdUntilClosed();
            }
            if (silenceOnce.compareAndSet(true, false)) {
                return swallow(client);
            }
            Break here = next.get();
            if (here == null || !new String(bytes, StandardCharsets.ISO_8859_1).contains(here.text())) {
                return true;
            }
            next.set(null);
            answerIsLost.set(here.afterTheServerHasActed());
            return here.afterTheServerHasActed();
        }));
        start(() -> pass(server, client, bytes -> !answerIsLost.get()));
    }

    /** Reads what comes until the client closes, and passes on nothing. */
    private static boolean swallow(Socket client) throws IOException {
        byte[] buffer = new byte[1 << 12];
        int read = 0;
        while (read >= 0) {
            read = client.getInputStream().read(buffer);
        }
        return false;
    }

    /** Reads no more, so that a sender is stuck whose text does not fit the buffers of the network. */
    private void holdUntilClosed() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Gate {
        boolean lets(byte[] bytes) throws IOException;
    }

    /** Passes on what comes until the gate closes, then breaks both connections. */
    private static void pass(Socket from, Socket to, Gate gate) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!gate.lets(Arrays.copyOf(buffer, read))) {
                    break;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException broken) {
            // The other direction or a peer broke it: nothing passes any more.
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        entrance.close();
    }
}

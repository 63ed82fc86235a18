package io.github.collapseexecutor.sample.rpcmerge;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A server that reads and writes bytes as a test tells it to. */
final class RawServer implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 30_000;

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    RawServer() throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    SocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }

    Connection accept() throws IOException {
        return new Connection(socket.accept());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    static byte[] frame(byte[]... messages) {
        int length = 0;
        for (byte[] message : messages) {
            length += message.length;
        }
        ByteBuffer frame = ByteBuffer.allocate(Frame.LENGTH_BYTES + length).putInt(length);
        for (byte[] message : messages) {
            frame.put(message);
        }
        return frame.array();
    }

    static byte[] message(long id, int type, byte kind, byte[] payload) {
        return message(id, type, kind, payload.length, payload);
    }

    /** A message that may say another length than it has. */
    static byte[] message(long id, int type, byte kind, int length, byte[] payload) {
        return ByteBuffer.allocate(Frame.HEADER_BYTES + payload.length)
                .putLong(id)
                .putShort((short) type)
                .put(kind)
                .putInt(length)
                .put(payload)
                .array();
    }

    static byte[] reply(Message request, String text) {
        return message(request.id, request.type, Frame.REPLY, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] reply(Message request, long number) {
        return message(
                request.id,
                request.type,
                Frame.REPLY,
                ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    static String text(Message message) {
        return new String(message.payload, StandardCharsets.UTF_8);
    }

    /** One end of a connection, for a server as for a client. */
    static final class Connection implements AutoCloseable {

        private final Socket socket;
        private final DataInputStream in;
        private final OutputStream out;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        static Connection to(SocketAddress server) throws IOException {
            InetSocketAddress address = (InetSocketAddress) server;
            return new Connection(new Socket(address.getAddress(), address.getPort()));
        }

        /** The messages of the next frame. */
        List<Message> readFrame() throws IOException {
            int rest = in.readInt();
            List<Message> messages = new ArrayList<>();
            while (rest > 0) {
                long id = in.readLong();
                int type = in.readUnsignedShort();
                byte kind = in.readByte();
                byte[] payload = new byte[in.readInt()];
                in.readFully(payload);
                messages.add(new Message(id, type, kind, payload));
                rest -= Frame.HEADER_BYTES + payload.length;
            }
            if (rest != 0) {
                throw new IOException("The messages of a frame are " + -rest + " bytes longer than it says");
            }
            return messages;
        }

        /** As many messages, in however many frames. */
        List<Message> read(int count) throws IOException {
            List<Message> messages = new ArrayList<>();
            while (messages.size() < count) {
                messages.addAll(readFrame());
            }
            return messages;
        }

        /** Whether the other end closes the connection, and sends nothing before. */
        boolean isClosedByPeer() throws IOException {
            try {
                return in.read() < 0;
            } catch (SocketException reset) {
                return true;
            }
        }

        void write(byte[]... parts) throws IOException {
            for (byte[] part : parts) {
                out.write(part);
            }
            out.flush();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}

package io.github.collapseexecutor.http.okhttp;

import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** A factory of which OkHttp uses the sockets that are not connected yet, if any. */
class UnconnectedSockets extends SocketFactory {

    @Override
    public final Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException();
    }
}

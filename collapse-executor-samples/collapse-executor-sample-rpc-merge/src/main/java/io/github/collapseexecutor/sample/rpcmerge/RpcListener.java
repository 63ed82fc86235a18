package io.github.collapseexecutor.sample.rpcmerge;

import java.net.SocketAddress;

/**
 * Is told of what concerns no call. It is called on the thread of a connection and must not block; what it
 * throws goes to that thread's handler of uncaught exceptions.
 */
@FunctionalInterface
public interface RpcListener {

    /**
     * A message was received that belongs to no call: its caller has left, it was answered before, or it is damaged beyond
     * saying whose it is. It was dropped; the connection goes on.
     *
     * @param peer who sent it
     * @param description what it is
     */
    void strayMessage(SocketAddress peer, String description);
}

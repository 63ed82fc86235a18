package io.github.collapseexecutor.http.lab;

/** A server that hosts any number of applications of the lab at a time, told apart by a header. */
interface LabServer extends AutoCloseable {

    int port();

    /** The make of the server, as {@code http.lab.server} names it. */
    String make();

    boolean isReactive();

    /** Whether a connection may be used again. Reactor Netty leaves some later request of a connection without a response, with collapsing or without. */
    boolean keepsConnections();

    LabMeetings meetings();

    /**
     * Hosts an application.
     *
     * @param name how requests name it
     * @param collapses whether it collapses
     */
    void host(String name, LabSetup setup, boolean collapses);

    void remove(String name);

    @Override
    void close();
}

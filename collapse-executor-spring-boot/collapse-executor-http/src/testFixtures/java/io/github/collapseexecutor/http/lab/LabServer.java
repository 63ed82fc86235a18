package io.github.collapseexecutor.http.lab;

/** A side of HTTP that hosts any number of applications of the lab at a time: a server with handlers, or clients with an origin. */
interface LabServer extends AutoCloseable {

    LabMake make();

    LabMeetings meetings();

    /**
     * Hosts an application.
     *
     * @param name how requests name it
     * @param collapses whether it collapses
     */
    void host(String name, LabSetup setup, boolean collapses);

    /** Lets another caller in. */
    LabCaller caller(String application);

    void remove(String name);

    @Override
    void close();
}

package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;

/** Makes one request after another. Responses that come after it has left are not looked at. */
interface LabCaller extends AutoCloseable {

    /**
     * Sends a request, and returns before it is answered.
     *
     * @param meeting names the round
     * @param round the round, from 0
     * @param last whether no other request follows
     */
    void send(LabCall call, String meeting, int round, boolean last);

    /** Waits for the response to the request that was sent last, or leaves. */
    void receive(LabCall call);

    boolean hasLeft();

    /** Ends the last request, and returns all responses. */
    List<RawReply> end();

    @Override
    void close();
}

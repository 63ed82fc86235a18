package io.github.collapseexecutor.http.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@linkplain HttpRequestView#client() client} of which some settings mean the same on every instance, such as time-outs. Requests with
 * different settings do not share, but the adapter goes on to share those of each with other instances.
 */
public interface ClientAmongInstances {

    /**
     * Returns what only this process knows of the client. An adapter shares the requests of one owner with other instances, the first
     * that it sees.
     *
     * @return a value with {@code equals} and {@code hashCode}; null if the settings say everything
     */
    @Nullable Object owner();

    /**
     * Returns the settings. Equal clients of one owner have equal ones, other clients have others.
     *
     * @return a text for each, in a fixed order
     */
    List<@Nullable String> settings();
}

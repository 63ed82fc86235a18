package io.github.collapseexecutor.http.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@linkplain HttpRequestView#client() client} of which some settings mean the same on every instance, such as time-outs. Requests with
 * different settings do not share, but the adapter goes on to share those of each with other instances.
 */
public interface ClientAmongInstances {

    /**
     * {@return what only this process knows of the client, with {@code equals} and {@code hashCode}; null if the settings say everything} An adapter
     * shares the requests of one owner with other instances, the first that it sees.
     */
    @Nullable Object owner();

    /** {@return a text for each setting, in a fixed order} Equal clients of one owner have equal settings, other clients have others. */
    List<@Nullable String> settings();
}

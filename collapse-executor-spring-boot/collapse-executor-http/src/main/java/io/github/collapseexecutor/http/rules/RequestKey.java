package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.message.HttpFields;
import io.github.collapseexecutor.http.message.RequestTarget;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What two requests must have in common before one call may answer both; the group that an adapter hands to the core.
 *
 * <p>Equal keys have equal method, scheme, host, port and raw path; an equal raw query, or equal values of the parameters
 * that the policy lists; equal headers, but for those ignored, or equal values of those that the policy lists; in any case
 * equal validators, {@code Idempotency-Key} and, unless the policy shares across users, credentials. Nothing is decoded,
 * sorted or folded: an absent header or query differs from an empty one, and only a default port equals an omitted one.
 * Requests of different clients, requests that a server dispatches to different places, and requests on either side of an
 * unsafe request to the same address have different keys.
 *
 * <p>Immutable; {@code toString} shows nothing of the request.
 */
public final class RequestKey {

    // immutable
    private final RequestTarget target;
    private final @Nullable Object query;
    private final List<HttpFields.Field> headers;
    private final List<@Nullable String> place;
    private final @Nullable Object client;
    private final int epoch;
    private final int hash;

    /**
     * Composes a key.
     *
     * @param target where the request goes
     * @param query the raw query, null where there is none, or the listed parameters of it
     * @param headers the headers that take part, names in lower case and sorted
     * @param place where the request came from, and is dispatched or sent to, beyond its address
     * @param client the client that sends the request, null if there is only one
     * @param epoch how many unsafe requests to the address have ended before
     */
    RequestKey(
            RequestTarget target,
            @Nullable Object query,
            List<HttpFields.Field> headers,
            List<@Nullable String> place,
            @Nullable Object client,
            int epoch) {
        this.target = target;
        this.query = query;
        this.headers = headers;
        this.place = place;
        this.client = client;
        this.epoch = epoch;
        this.hash = hash();
    }

    String method() {
        return target.method();
    }

    /**
     * Shows what the key consists of; equal keys show the same parts, in the same order. Of the client it shows a number, which
     * two clients may have in common, though they hardly ever do.
     */
    void forEachPart(Consumer<@Nullable String> action) {
        forEachLastingPart(action);
        action.accept(client == null ? null : Integer.toString(client.hashCode()));
        action.accept(Integer.toString(epoch));
    }

    @Nullable Object client() {
        return client;
    }

    /**
     * Shows what the key consists of and means the same in another process: not the client, nor the epoch. Before each list its size is
     * shown, so that unequal keys show unequal parts.
     */
    void forEachLastingPart(Consumer<@Nullable String> action) {
        action.accept(target.method());
        action.accept(target.scheme());
        action.accept(target.userInfo());
        action.accept(target.host());
        action.accept(Integer.toString(target.port()));
        action.accept(target.path());
        if (query instanceof List<?> parameters) {
            action.accept(Integer.toString(parameters.size()));
            parameters.forEach(parameter -> action.accept((String) parameter));
        } else {
            action.accept("whole");
            action.accept((String) query);
        }
        action.accept(Integer.toString(headers.size()));
        for (HttpFields.Field header : headers) {
            action.accept(header.name());
            action.accept(Integer.toString(header.values().size()));
            header.values().forEach(action);
        }
        action.accept(Integer.toString(place.size()));
        place.forEach(action);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RequestKey that
                && hash == that.hash
                && epoch == that.epoch
                && target.equals(that.target)
                && Objects.equals(query, that.query)
                && headers.equals(that.headers)
                && place.equals(that.place)
                && Objects.equals(client, that.client);
    }

    private int hash() {
        int result = target.hashCode();
        result = 31 * result + Objects.hashCode(query);
        result = 31 * result + headers.hashCode();
        result = 31 * result + place.hashCode();
        result = 31 * result + Objects.hashCode(client);
        return 31 * result + epoch;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** {@return a text that tells keys apart and shows nothing of the request: the class and the hash} */
    @Override
    public String toString() {
        return "RequestKey@" + Integer.toHexString(hash);
    }
}

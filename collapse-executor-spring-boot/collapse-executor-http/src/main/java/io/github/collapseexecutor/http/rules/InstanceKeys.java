package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of one adapter are called among instances.
 *
 * <p>The key is all of {@link RequestKey} that means the same on another instance, and all options that say what takes part in it: two
 * instances need not have the same release. The epoch is left out: a call that is shared among instances starts after every request that it
 * answers has arrived. Which client sends cannot be told on another instance. So an adapter shares the requests of one client only, the
 * first that it sees; the name of the client is part of what the user configures.
 */
final class InstanceKeys {

    private static final Object SEVERAL = new Object();

    // immutable
    private final String options;

    // mutable, by CAS: null -> the client, or SEVERAL for good
    private final AtomicReference<@Nullable Object> client = new AtomicReference<>();

    InstanceKeys(HttpCollapseOptions options) {
        StringBuilder parts = new StringBuilder();
        appendAll(parts, new TreeSet<>(options.ignoredRequestHeaders()));
        appendAll(parts, new TreeSet<>(options.credentialHeaders()));
        this.options = parts.toString();
    }

    /** Returns the key of a request; null if the request is not shared with other instances. */
    @Nullable String of(CollapsibleRequest request) {
        Object sender = request.key().client();
        ClientAmongInstances among = sender instanceof ClientAmongInstances known ? known : null;
        if (!request.rule().isAmongInstances() || !isOfTheOneClient(among == null ? sender : among.owner())) {
            return null;
        }
        StringBuilder key = new StringBuilder(options);
        appendPolicy(key, request.policy());
        appendAll(key, among == null ? List.of() : among.settings());
        request.key().forEachLastingPart(part -> append(key, part));
        return key.toString();
    }

    private boolean isOfTheOneClient(@Nullable Object sender) {
        if (sender == null) {
            return client.get() != SEVERAL;
        }
        if (client.compareAndSet(null, sender) || sender.equals(client.get())) {
            return true;
        }
        client.set(SEVERAL);
        return false;
    }

    /** Its name may change; what it says may not. */
    private static void appendPolicy(StringBuilder key, CollapsePolicy policy) {
        append(
                key,
                policy.everyHeader() + " " + policy.wholeQuery() + " " + policy.shareAcrossUsers() + " "
                        + policy.stripSetCookie());
        appendAll(key, new TreeSet<>(policy.requestHeaders()));
        appendAll(key, new TreeSet<>(policy.requestQueries()));
    }

    private static void appendAll(StringBuilder key, Collection<? extends @Nullable String> parts) {
        append(key, Integer.toString(parts.size()));
        parts.forEach(part -> append(key, part));
    }

    /** Each part says how long it is, so that no two lists of parts have one text. */
    private static void append(StringBuilder key, @Nullable String part) {
        if (part == null) {
            key.append('-');
        } else {
            key.append(part.length()).append(':').append(part);
        }
    }
}

package io.github.collapseexecutor.http;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of one adapter are called among instances.
 *
 * <p>The key is all of {@link RequestKey} that means the same on another instance, and the policy. The epoch is left out: a call that is shared
 * among instances starts after every request that it answers has arrived. Which client sends cannot be told on another instance. So an adapter
 * shares the requests of one client only, the first that it sees; the name of the client is part of what the user configures.
 */
final class InstanceKeys {

    private static final Object SEVERAL = new Object();

    // mutable, by CAS: null -> the client, or SEVERAL for good
    private final AtomicReference<@Nullable Object> client = new AtomicReference<>();

    /** Returns the key of a request; null if the request is not shared with other instances. */
    @Nullable String of(CollapsibleRequest request) {
        if (!isOfTheOneClient(request.key().client())) {
            return null;
        }
        StringBuilder key = new StringBuilder();
        Consumer<@Nullable String> parts = part -> append(key, part);
        CollapsePolicy policy = request.policy();
        parts.accept(policy.isStrict() + " " + policy.shareAcrossUsers() + " " + policy.stripSetCookie());
        request.key().forEachLastingPart(parts);
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

    /** Each part says how long it is, so that no two lists of parts have one text. */
    private static void append(StringBuilder key, @Nullable String part) {
        if (part == null) {
            key.append('-');
        } else {
            key.append(part.length()).append(':').append(part);
        }
    }
}

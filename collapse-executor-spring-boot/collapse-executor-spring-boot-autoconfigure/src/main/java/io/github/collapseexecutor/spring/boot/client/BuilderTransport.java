package io.github.collapseexecutor.spring.boot.client;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of one builder send their requests by. Many applications build a client for each request. Those that have the same
 * transport get the same collapsing one: nothing below it tells them apart (H35), and what is above it is in the key. A builder that gets
 * another transport for each client keeps the last one only.
 *
 * @param <T> the type of a transport
 */
final class BuilderTransport<T> {

    // immutable
    private final UnaryOperator<T> around;

    // mutable, guarded by this
    private @Nullable T byDefault;
    private @Nullable T last;
    private @Nullable T collapsing;

    /**
     * Creates one for a builder that has built nothing.
     *
     * @param around returns a transport that collapses what another one sends
     */
    BuilderTransport(UnaryOperator<T> around) {
        this.around = around;
    }

    /**
     * Returns the transport to build a client with: the same one as for the last client, if both send by the same one.
     *
     * @param given what the builder was given; a builder that was given none uses one default transport for all its clients
     * @param makeDefault makes the default one, or returns null if it cannot be read
     * @return a transport that collapses; null if what the client sends by cannot be read
     */
    synchronized @Nullable T of(ClientField<T> given, Supplier<? extends @Nullable T> makeDefault) {
        T transport = given.value();
        if (transport == null && given.isReadable()) {
            if (byDefault == null) {
                byDefault = makeDefault.get();
            }
            transport = byDefault;
        }
        if (transport != null && transport != last) {
            last = transport;
            collapsing = around.apply(transport);
        }
        return transport == null ? null : collapsing;
    }
}

package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.InvalidOptionException;
import io.github.collapseexecutor.http.message.HeaderNames;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which parts of two requests must be equal before one call may answer both.
 *
 * <pre>{@code
 * CollapsePolicy byTenant = CollapsePolicy.named("by-tenant")
 *         .requestHeaders(List.of("X-Tenant"))
 *         .requestQueries(List.of("page"))
 *         .build();
 * }</pre>
 *
 * <p>{@linkplain #strict() Strict}, the policy of a group that names none: the whole query and every header but a
 * documented few ({@link HttpCollapseOptions.Builder#ignoredRequestHeaders(Collection)}) must be equal. A
 * {@linkplain #named(String) named} policy may list the headers that matter, or the query parameters, or both. A list ignores
 * all others of its kind, which is the explicit choice of its author. A kind without a list counts as under {@code strict};
 * an empty list ignores the whole kind. Whatever the policy, method, scheme, host, port, path, credentials
 * ({@link HttpCollapseOptions.Builder#credentialHeaders(Collection)}), validators ({@code If-None-Match} and its like)
 * and {@code Idempotency-Key} must be equal; only {@link Builder#shareAcrossUsers(boolean)} takes the credentials out.
 *
 * <p>Immutable.
 */
public final class CollapsePolicy {

    private static final String STRICT_NAME = "strict";
    private static final String PATH_ONLY_NAME = "path-only";

    private static final CollapsePolicy STRICT = new CollapsePolicy(new Builder(STRICT_NAME));
    private static final CollapsePolicy PATH_ONLY = new CollapsePolicy(
            new Builder(PATH_ONLY_NAME).requestHeaders(List.of()).requestQueries(List.of()));

    // immutable: nobody else has this builder
    private final Builder set;

    private CollapsePolicy(Builder set) {
        this.set = set;
    }

    /**
     * {@return the built-in policy named {@code strict}, that of a group that names none: requests share a call only if their whole query and every
     * header are equal, but for the documented headers that name the connection, the trace or the browser}
     */
    public static CollapsePolicy strict() {
        return STRICT;
    }

    /**
     * {@return the built-in policy named {@code path-only}, which ignores the query and every header but the credentials, validators and
     * {@code Idempotency-Key}}
     *
     * <p>For addresses whose answer depends on the path alone. Where a service tells users apart by the query or by a header of its own, this policy
     * answers one user with another's data.
     */
    public static CollapsePolicy pathOnly() {
        return PATH_ONLY;
    }

    /**
     * Starts a policy of one's own, which at first has no list and so counts everything, as {@link #strict()} does.
     *
     * @param name how configuration and logs call it; not blank, and neither {@code strict} nor {@code path-only}
     * @return a builder
     * @throws InvalidOptionException if the name is blank or that of a built-in policy
     */
    public static Builder named(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isBlank() || name.equals(STRICT_NAME) || name.equals(PATH_ONLY_NAME)) {
            throw new InvalidOptionException(
                    "name",
                    "'" + name + "'",
                    "a policy needs a name that is not blank and not one of the built-in '" + STRICT_NAME + "' and '"
                            + PATH_ONLY_NAME + "'");
        }
        return new Builder(name);
    }

    /** {@return the policy's name: the one given to {@link #named(String)}, {@code strict} or {@code path-only}} */
    public String name() {
        return set.name;
    }

    /**
     * {@return whether all headers take part, listed or not, but for those that are ignored; true unless the policy lists headers and is not
     * {@linkplain Builder#strict(boolean) strict}}
     */
    public boolean everyHeader() {
        return set.strict || set.requestHeaders == null;
    }

    /** {@return the headers that take part besides those that always do; names in lower case, unmodifiable} */
    public Set<String> requestHeaders() {
        return Objects.requireNonNullElse(set.requestHeaders, Set.of());
    }

    /**
     * {@return whether the whole query takes part; true unless the policy lists query parameters and is not
     * {@linkplain Builder#strict(boolean) strict}}
     */
    public boolean wholeQuery() {
        return set.strict || set.requestQueries == null;
    }

    /**
     * {@return the query parameters that take part; of no meaning where the {@linkplain #wholeQuery() whole query} does; decoded names,
     * case-sensitive, unmodifiable}
     */
    public Set<String> requestQueries() {
        return Objects.requireNonNullElse(set.requestQueries, Set.of());
    }

    /** {@return whether, on a server, the addresses of two clients must be equal; false unless it was asked for} */
    public boolean clientAddress() {
        return set.clientAddress;
    }

    /** {@return whether requests with different credentials may share a call; false unless it was asked for} */
    public boolean shareAcrossUsers() {
        return set.shareAcrossUsers;
    }

    /** {@return whether a response with {@code Set-Cookie} is shared without it; false (such a response is not shared) unless it was asked for} */
    public boolean stripSetCookie() {
        return set.stripSetCookie;
    }

    @Override
    public String toString() {
        return "CollapsePolicy[" + set.name + ", everyHeader=" + everyHeader() + ", requestHeaders=" + requestHeaders()
                + ", wholeQuery=" + wholeQuery() + ", requestQueries=" + requestQueries() + ", clientAddress="
                + set.clientAddress + ", shareAcrossUsers="
                + set.shareAcrossUsers + ", stripSetCookie=" + set.stripSetCookie + "]";
    }

    /**
     * Builds a named policy; not safe for use by several threads.
     */
    public static final class Builder implements Cloneable {

        // immutable
        private final String name;

        // mutable, confined to the thread that builds
        private boolean strict;
        private @Nullable Set<String> requestHeaders;
        private @Nullable Set<String> requestQueries;
        private boolean clientAddress;
        private boolean shareAcrossUsers;
        private boolean stripSetCookie;

        private Builder(String name) {
            this.name = name;
        }

        /**
         * Lists the request headers whose values must be equal; absent is not the same as empty. Without this list, every
         * header counts as under {@link CollapsePolicy#strict()}.
         *
         * @param names header names, in any case; replaces those given before; with none, no header counts but those that
         *     always do
         * @return this builder
         * @throws InvalidOptionException if one of them is not a header name (RFC 9110 section 5.1)
         */
        public Builder requestHeaders(Collection<String> names) {
            Set<String> copy = new LinkedHashSet<>();
            for (String header : names) {
                copy.add(HeaderNames.requireToken("requestHeaders", header).toLowerCase(Locale.ROOT));
            }
            requestHeaders = Collections.unmodifiableSet(copy);
            return this;
        }

        /**
         * Lists the query parameters whose values must be equal, undecoded and in order. Without this list, the whole query
         * counts.
         *
         * @param names decoded parameter names, case-sensitive; replaces those given before; with none, no parameter counts
         * @return this builder
         * @throws InvalidOptionException if one of them is empty
         */
        public Builder requestQueries(Collection<String> names) {
            Set<String> copy = new LinkedHashSet<>();
            for (String query : names) {
                if (query.isEmpty()) {
                    throw new InvalidOptionException(
                            "requestQueries", "''", "the name of a query parameter must not be empty");
                }
                copy.add(query);
            }
            requestQueries = Collections.unmodifiableSet(copy);
            return this;
        }

        /**
         * Has the whole query and every header take part whatever is listed, but for the headers that are ignored; a listed
         * header takes part even if it is one of these. Default: false.
         *
         * @param everything whether everything takes part
         * @return this builder
         */
        public Builder strict(boolean everything) {
            strict = everything;
            return this;
        }

        /**
         * Keeps requests from different client addresses apart, for servers whose answers depend on them. The address is
         * that of the last proxy, unless the server or a filter puts the client's own in its place. Default: false.
         *
         * @param takesPart whether the addresses must be equal; without effect on clients
         * @return this builder
         */
        public Builder clientAddress(boolean takesPart) {
            clientAddress = takesPart;
            return this;
        }

        /**
         * Lets requests with different credentials share a call, unless a credential header is listed in
         * {@link #requestHeaders(Collection)}. Default: false.
         *
         * <p>Only for resources that are the same for everybody. A response that says it is {@code private}, or answers an
         * {@code Authorization} without saying that it may be shared, is still not shared (RFC 9111 section 3.5).
         *
         * @param share whether users may get each other's responses
         * @return this builder
         */
        public Builder shareAcrossUsers(boolean share) {
            shareAcrossUsers = share;
            return this;
        }

        /**
         * Shares a response with {@code Set-Cookie}: the request that made the call gets the cookies, the others get the
         * response without them. Default: false, such a response is not shared.
         *
         * @param strip whether to share without the cookies
         * @return this builder
         */
        public Builder stripSetCookie(boolean strip) {
            stripSetCookie = strip;
            return this;
        }

        /**
         * Builds the policy.
         *
         * @return an immutable policy; later changes of this builder do not reach it
         */
        public CollapsePolicy build() {
            return new CollapsePolicy(copy());
        }

        /** Copies every setting. */
        private Builder copy() {
            try {
                return (Builder) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }
}

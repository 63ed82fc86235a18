package io.github.collapseexecutor.http;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an HTTP adapter collapses, and how far.
 *
 * <pre>{@code
 * HttpCollapseOptions options = HttpCollapseOptions.builder()
 *         .groups(List.of(CollapseGroup.of(CollapsePolicy.strict(), "/user/*")))
 *         .build();
 * }</pre>
 *
 * <p>Without a group nothing collapses. Where several groups match a path, the first in the order given decides. Immutable.
 */
public final class HttpCollapseOptions {

    /** Two mebibytes: how large a shared body may be unless it is said otherwise. */
    private static final long DEFAULT_MAX_BODY_SIZE = 2L * 1024 * 1024;

    /** Some virtual machines cannot allocate the last few indices of an array. */
    private static final long LARGEST_MAX_BODY_SIZE = Integer.MAX_VALUE - 8L;

    // immutable
    private final List<CollapseGroup> groups;
    private final Set<String> ignoredRequestHeaders;
    private final long maxBodySize;
    private final @Nullable LeaderFailure onLeaderFailure;

    private HttpCollapseOptions(Builder builder) {
        this.groups = builder.groups;
        this.ignoredRequestHeaders = builder.ignoredRequestHeaders;
        this.maxBodySize = builder.maxBodySize;
        this.onLeaderFailure = builder.onLeaderFailure;
    }

    /**
     * Starts options with no group and every setting at its default.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the groups in the order in which they are tried.
     *
     * @return the groups, unmodifiable, empty if nothing collapses
     */
    public List<CollapseGroup> groups() {
        return groups;
    }

    /**
     * Returns the headers that a strict policy ignores besides the documented ones.
     *
     * @return header names in lower case, or prefixes that end in {@code *}; unmodifiable
     */
    public Set<String> ignoredRequestHeaders() {
        return ignoredRequestHeaders;
    }

    /**
     * Returns how large a shared body may be.
     *
     * @return bytes
     */
    public long maxBodySize() {
        return maxBodySize;
    }

    /**
     * Returns what becomes of the followers when the leader's call fails.
     *
     * @return the choice, or null for the default of each kind of failure
     */
    public @Nullable LeaderFailure onLeaderFailure() {
        return onLeaderFailure;
    }

    @Override
    public String toString() {
        return "HttpCollapseOptions[groups=" + groups + ", ignoredRequestHeaders=" + ignoredRequestHeaders
                + ", maxBodySize=" + maxBodySize + ", onLeaderFailure="
                + (onLeaderFailure == null ? "default" : onLeaderFailure) + "]";
    }

    /**
     * Builds options; not safe for use by several threads.
     */
    public static final class Builder {

        // mutable, confined to the thread that builds
        private List<CollapseGroup> groups = List.of();
        private Set<String> ignoredRequestHeaders = Set.of();
        private long maxBodySize = DEFAULT_MAX_BODY_SIZE;
        private @Nullable LeaderFailure onLeaderFailure;

        private Builder() {}

        /**
         * Sets what collapses. Default: nothing.
         *
         * @param inOrder the groups; the first that matches a path decides; replaces those given before
         * @return this builder
         */
        public Builder groups(Collection<CollapseGroup> inOrder) {
            groups = List.copyOf(inOrder);
            return this;
        }

        /**
         * Sets what becomes of the followers when the leader's call fails. Default: an error response (5xx) is
         * {@linkplain LeaderFailure#SHARE shared}, and after a failed transport (connect, reset, time-out, truncated body)
         * a follower is {@linkplain LeaderFailure#RE_ELECT re-elected}.
         *
         * @param choice the same for both kinds of failure
         * @return this builder
         */
        public Builder onLeaderFailure(LeaderFailure choice) {
            onLeaderFailure = Objects.requireNonNull(choice, "onLeaderFailure");
            return this;
        }

        /**
         * Names further request headers that a strict policy ignores. Default: none.
         *
         * <p>Always ignored are {@code Connection} and what it lists, {@code Keep-Alive}, {@code Host} (it is part of the
         * address), {@code Date}, {@code User-Agent}, {@code Referer}, {@code DNT}, {@code Priority}, {@code Sec-*},
         * {@code X-Forwarded-*}, {@code Forwarded}, {@code Via}, {@code X-Request-Id}, {@code X-Correlation-Id},
         * {@code traceparent}, {@code tracestate}, {@code baggage}, {@code b3}, {@code X-B3-*}, {@code uber-trace-id} and
         * {@code sw8}.
         *
         * @param names header names in any case; one that ends in {@code *} stands for all that begin so; replaces those
         *     given before
         * @return this builder
         * @throws IllegalArgumentException if one is not a header name, is {@code *} alone, or is a credential, a validator
         *     or {@code Idempotency-Key}
         */
        public Builder ignoredRequestHeaders(Collection<String> names) {
            ignoredRequestHeaders = Set.copyOf(HeaderNames.requireIgnorable("ignoredRequestHeaders", names));
            return this;
        }

        /**
         * Sets how large a body may be to be held in memory and shared. Default: 2 MiB.
         *
         * <p>A larger one is not shared: the request that made the call streams it, the others are forwarded.
         *
         * @param bytes from 0 to 2,147,483,639
         * @return this builder
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder maxBodySize(long bytes) {
            if (bytes < 0 || bytes > LARGEST_MAX_BODY_SIZE) {
                throw new IllegalArgumentException("maxBodySize: " + bytes
                        + " is not allowed; it is a number of bytes from 0" + " to " + LARGEST_MAX_BODY_SIZE);
            }
            maxBodySize = bytes;
            return this;
        }

        /**
         * Builds the options.
         *
         * @return immutable options; later changes of this builder do not reach them
         */
        public HttpCollapseOptions build() {
            return new HttpCollapseOptions(this);
        }
    }
}

package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.InvalidOptionException;
import io.github.collapseexecutor.http.message.HeaderNames;
import io.github.collapseexecutor.http.message.HeaderPatterns;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an HTTP adapter collapses, and how far.
 *
 * <pre>{@code
 * HttpCollapseOptions options = HttpCollapseOptions.forPaths("/user/*");
 * }</pre>
 *
 * <p>Without a rule nothing collapses. Where several rules match a path, the first in the order given decides. Immutable.
 */
public final class HttpCollapseOptions {

    /** Two mebibytes: how large a shared body may be unless it is said otherwise. */
    private static final long DEFAULT_MAX_BODY_SIZE = 2L * 1024 * 1024;

    private static final Duration DEFAULT_PASS_TTL = Duration.ofMinutes(2);
    private static final int DEFAULT_FAN_OUT_LIMIT = 64;

    // immutable: nobody else has this builder
    private final Builder set;
    private final HeaderPatterns credentials;

    private HttpCollapseOptions(Builder set) {
        this.set = set;
        this.credentials = HeaderPatterns.credentials(set.credentialHeaders);
    }

    /**
     * Returns options for paths whose requests share a call if they are equal in everything that may matter: one rule with
     * {@link CollapsePolicy#strict()}, and every other setting at its default.
     *
     * @param patterns which paths, each as {@link UriPattern#parse(String)} reads it; at least one
     * @return the options
     * @throws IllegalArgumentException if there is no pattern, or one that cannot be parsed
     */
    public static HttpCollapseOptions forPaths(String... patterns) {
        return builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), patterns)))
                .build();
    }

    /** {@return a builder with no rule and every setting at its default} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder that holds the values of these options} */
    public Builder toBuilder() {
        return set.copy();
    }

    /** {@return the rules in the order in which they are tried; unmodifiable, empty if nothing collapses} */
    public List<CollapseRule> rules() {
        return set.rules;
    }

    /**
     * {@return the headers that a strict policy ignores besides the documented ones; names in lower case, or prefixes that end in {@code *};
     * unmodifiable}
     */
    public Set<String> ignoredRequestHeaders() {
        return set.ignoredRequestHeaders;
    }

    /** {@return the headers that name a user besides the documented ones; names in lower case, or prefixes that end in {@code *}; unmodifiable} */
    public Set<String> credentialHeaders() {
        return set.credentialHeaders;
    }

    /**
     * Tells whether a request header says on whose behalf the request is made, be it a documented one or a further one.
     *
     * @param name the header's name, in any case
     * @return true if it is a credential
     */
    public boolean isCredential(String name) {
        return credentials.contain(name.toLowerCase(Locale.ROOT));
    }

    /**
     * {@return the names of the credential headers that every adapter knows, for adapters that cannot list all headers; in lower case, without those
     * that are known by their beginning; unmodifiable}
     */
    public static List<String> commonCredentials() {
        return HeaderNames.COMMON_CREDENTIALS;
    }

    /** {@return how large a shared body may be, in bytes} */
    public long maxBodySize() {
        return set.maxBodySize;
    }

    /** {@return what becomes of the followers when the leader's call fails; null for the default of each kind of failure} */
    public @Nullable LeaderFailurePolicy onLeaderFailure() {
        return set.onLeaderFailure;
    }

    /** {@return what becomes of the followers of a call without a response; {@link LeaderFailurePolicy#RE_ELECT} by default} */
    public LeaderFailurePolicy onTransportFailure() {
        return Objects.requireNonNullElse(set.onLeaderFailure, LeaderFailurePolicy.RE_ELECT);
    }

    /** {@return what becomes of the followers of a call that was answered with a server error; {@link LeaderFailurePolicy#SHARE} by default} */
    public LeaderFailurePolicy onErrorResponse() {
        return Objects.requireNonNullElse(set.onLeaderFailure, LeaderFailurePolicy.SHARE);
    }

    /** {@return how many of the followers that one unusable response releases may be at the origin at a time; at least 1} */
    public int fanOutLimit() {
        return set.fanOutLimit;
    }

    /**
     * {@return for how long requests of a key are not gathered after a response that could not be shared, a duration that is not negative; zero if
     * they are gathered again at once}
     */
    public Duration passTtl() {
        return set.passTtl;
    }

    /** {@return how long a request waits for another's response, a positive duration; null for no bound} */
    public @Nullable Duration followerTimeout() {
        return set.followerTimeout;
    }

    /** {@return what a request does that has waited for that long} */
    public FollowerTimeoutPolicy onFollowerTimeout() {
        return set.onFollowerTimeout;
    }

    /** {@return the name, a token, under which {@code Cache-Status} tells what collapsing did; null if the header is not added} */
    public @Nullable String cacheStatus() {
        return set.cacheStatus;
    }

    /** {@return what is told of requests, and why one does not share a call; null, the default, costs nothing} */
    public @Nullable HttpCollapseListener listener() {
        return set.listener;
    }

    /** {@return the switch of the adapters with these options; null by default} */
    public @Nullable HttpCollapseControl control() {
        return set.control;
    }

    /** {@return the other instances of the application that responses are shared with; null, the default, if nothing is shared with them} */
    public @Nullable OtherInstances otherInstances() {
        return set.otherInstances;
    }

    @Override
    public String toString() {
        return "HttpCollapseOptions[rules=" + set.rules + ", ignoredRequestHeaders=" + set.ignoredRequestHeaders
                + ", credentialHeaders=" + set.credentialHeaders
                + ", maxBodySize=" + set.maxBodySize + ", onLeaderFailure="
                + (set.onLeaderFailure == null ? "default" : set.onLeaderFailure) + ", fanOutLimit=" + set.fanOutLimit
                + ", passTtl="
                + set.passTtl + ", followerTimeout=" + (set.followerTimeout == null ? "none" : set.followerTimeout)
                + ", onFollowerTimeout=" + set.onFollowerTimeout + ", cacheStatus="
                + (set.cacheStatus == null ? "off" : set.cacheStatus) + "]";
    }

    /**
     * Builds options; not safe for use by several threads.
     */
    public static final class Builder implements Cloneable {

        // mutable, confined to the thread that builds
        private List<CollapseRule> rules = List.of();
        private Set<String> ignoredRequestHeaders = Set.of();
        private Set<String> credentialHeaders = Set.of();
        private long maxBodySize = DEFAULT_MAX_BODY_SIZE;
        private @Nullable LeaderFailurePolicy onLeaderFailure;
        private int fanOutLimit = DEFAULT_FAN_OUT_LIMIT;
        private Duration passTtl = DEFAULT_PASS_TTL;
        private @Nullable Duration followerTimeout;
        private FollowerTimeoutPolicy onFollowerTimeout = FollowerTimeoutPolicy.GO_ALONE;
        private @Nullable String cacheStatus;
        private @Nullable HttpCollapseListener listener;
        private @Nullable HttpCollapseControl control;
        private @Nullable OtherInstances otherInstances;

        private Builder() {}

        /**
         * Sets what collapses. Default: nothing.
         *
         * @param inOrder the rules, {@code collapse-groups} in the YAML; the first that matches a path decides; replaces those given before
         * @return this builder
         */
        public Builder rules(Collection<CollapseRule> inOrder) {
            rules = List.copyOf(inOrder);
            return this;
        }

        /**
         * Sets what becomes of the followers when the leader's call fails. Default: an error response (5xx) is
         * {@linkplain LeaderFailurePolicy#SHARE shared}, and after a failed transport (connect, reset, time-out, truncated body)
         * a follower is {@linkplain LeaderFailurePolicy#RE_ELECT re-elected}.
         *
         * @param choice the same for both kinds of failure
         * @return this builder
         */
        public Builder onLeaderFailure(LeaderFailurePolicy choice) {
            onLeaderFailure = Objects.requireNonNull(choice, "onLeaderFailure");
            return this;
        }

        /**
         * Names further request headers that a strict policy ignores. Default: none.
         *
         * <p>Always ignored are {@code Connection}, {@code Keep-Alive}, {@code Host} (it is part of the address), {@code Date},
         * {@code User-Agent}, {@code Referer}, {@code DNT}, {@code Priority}, {@code Sec-*}, {@code X-Forwarded-For},
         * {@code X-Forwarded-By}, {@code X-Forwarded-Server}, {@code Via}, {@code X-Request-Id}, {@code X-Correlation-Id},
         * {@code traceparent}, {@code tracestate}, {@code b3}, {@code X-B3-*}, {@code uber-trace-id}, {@code sw8},
         * {@code x-http2-stream-id}, {@code x-http2-stream-weight} and {@code x-http2-stream-dependency-id}.
         *
         * @param names header names in any case; one that ends in {@code *} stands for all that begin so; replaces those
         *     given before
         * @return this builder
         * @throws InvalidOptionException if one is not a header name, is {@code *} alone, or is a credential, a validator
         *     or {@code Idempotency-Key}
         */
        public Builder ignoredRequestHeaders(Collection<String> names) {
            ignoredRequestHeaders =
                    Set.copyOf(HeaderNames.requireIgnorable("ignoredRequestHeaders", names, credentialHeaders));
            return this;
        }

        /**
         * Names further request headers that say on whose behalf a request is made. Default: none. They are part of every
         * key, whatever the policy; a server does not collapse a request that carries one. Only
         * {@link CollapsePolicy.Builder#shareAcrossUsers(boolean)} lifts both.
         *
         * <p>Always such headers are {@code Authorization}, {@code Cookie}, {@code Proxy-Authorization}, and those that proxies
         * add: {@code X-Forwarded-User}, {@code X-Forwarded-Email}, {@code X-Forwarded-Groups},
         * {@code X-Forwarded-Preferred-Username}, {@code X-Forwarded-Access-Token}, {@code X-Forwarded-Client-Cert},
         * {@code X-Forwarded-Tls-Client-Cert*}, {@code X-Auth-Request-*}, {@code Remote-User}, {@code X-Remote-User},
         * {@code X-Api-Key}, {@code X-Amzn-Oidc-*}, {@code Cf-Access-Jwt-Assertion}, {@code X-Goog-Iap-*},
         * {@code X-Goog-Authenticated-User-*}, {@code X-Ms-Client-Principal*} and {@code X-Ssl-Client-*}.
         *
         * @param names header names in any case; one that ends in {@code *} stands for all that begin so; replaces those
         *     given before
         * @return this builder
         * @throws InvalidOptionException if one is not a header name or is {@code *} alone
         */
        public Builder credentialHeaders(Collection<String> names) {
            credentialHeaders = Set.copyOf(HeaderNames.requirePatterns("credentialHeaders", names));
            return this;
        }

        /**
         * Sets how large a body may be to be held in memory and shared. Default: 2 MiB.
         *
         * <p>A larger one is not shared: the request that made the call streams it, the others are forwarded.
         *
         * @param bytes from 0 to 2,147,483,639
         * @return this builder
         * @throws InvalidOptionException if it is out of that range
         */
        public Builder maxBodySize(long bytes) {
            maxBodySize = HttpOptionChecks.maxBodySize(bytes);
            return this;
        }

        /**
         * Sets how many of the followers that one response releases, because it is not for them, may be at the origin at a
         * time; the others wait for a place. A place is held until the header section of the response has come. Default: 64.
         *
         * @param requests at least 1
         * @return this builder
         * @throws InvalidOptionException if it is below 1
         */
        public Builder fanOutLimit(int requests) {
            fanOutLimit = HttpOptionChecks.fanOutLimit(requests);
            return this;
        }

        /**
         * Sets for how long requests of a key are sent at once, each by itself, after a response that could not be shared; a
         * response that could be ends it early. Default: 120 seconds.
         *
         * @param duration not negative, at most 365 days; zero gathers again at once
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder passTtl(Duration duration) {
            passTtl = HttpOptionChecks.passTtl(duration);
            return this;
        }

        /**
         * Bounds how long a request waits for another's response, over all that it waits for; the request that makes the
         * call is bound by its transport only. Default: no bound.
         *
         * @param duration positive, at most 365 days
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder followerTimeout(Duration duration) {
            followerTimeout = HttpOptionChecks.followerTimeout(duration);
            return this;
        }

        /**
         * Sets what a request does when {@link #followerTimeout(Duration)} has passed. Default:
         * {@link FollowerTimeoutPolicy#GO_ALONE}.
         *
         * @param choice what it does
         * @return this builder
         */
        public Builder onFollowerTimeout(FollowerTimeoutPolicy choice) {
            onFollowerTimeout = Objects.requireNonNull(choice, "onFollowerTimeout");
            return this;
        }

        /**
         * Adds {@code Cache-Status} (RFC 9211) to responses: {@code <name>; fwd=uri-miss; collapsed} to a request answered by
         * another's call, {@code collapsed=?0} to one that was gathered with others and had to go alone. Default: off.
         *
         * @param name how this adapter calls itself, a token (RFC 8941 section 3.3.4)
         * @return this builder
         * @throws InvalidOptionException if it is not a token
         */
        public Builder cacheStatus(String name) {
            cacheStatus = HttpOptionChecks.cacheStatus(name);
            return this;
        }

        /**
         * Sets {@link HttpCollapseOptions#listener()}.
         *
         * @param told what is told of requests, or null for nothing
         * @return this builder
         */
        public Builder listener(@Nullable HttpCollapseListener told) {
            listener = told;
            return this;
        }

        /**
         * Sets {@link HttpCollapseOptions#control()}.
         *
         * @param newControl the switch of the adapters with these options, or null for none
         * @return this builder
         */
        public Builder control(@Nullable HttpCollapseControl newControl) {
            control = newControl;
            return this;
        }

        /**
         * Shares responses with the other instances of the application, under the same rules as within this one. Default: none.
         *
         * <p><b>The name that {@code ClusterCalls.http} was given is that of one client.</b> Requests of clients with one name share
         * responses, whatever cookie store, authenticator or certificate each of them has below its adapter.
         *
         * @param instances the other instances, or null for none
         * @return this builder
         */
        public Builder otherInstances(@Nullable OtherInstances instances) {
            otherInstances = instances;
            return this;
        }

        /**
         * Builds the options.
         *
         * @return immutable options; later changes of this builder do not reach them
         * @throws InvalidOptionException if a header is to be ignored that {@link #credentialHeaders} names
         */
        public HttpCollapseOptions build() {
            Set<String> unusedChecked =
                    HeaderNames.requireIgnorable("ignoredRequestHeaders", ignoredRequestHeaders, credentialHeaders);
            return new HttpCollapseOptions(copy());
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

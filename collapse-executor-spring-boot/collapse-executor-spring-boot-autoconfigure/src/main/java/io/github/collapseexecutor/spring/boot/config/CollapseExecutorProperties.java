package io.github.collapseexecutor.spring.boot.config;

import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.FollowerTimeoutPolicy;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.spring.annotation.CallInTransaction;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What stands under {@code collapse.executor}, as it was written; null where nothing was, so that the defaults are kept in
 * one place, the builders of the options. A key that is not listed here stops the start: a typing error must not turn
 * collapsing off unnoticed.
 *
 * <p>The descriptions are those that editors show. {@code maxWait} stands before {@code maxWaitRatio} because the processor
 * that collects them takes the first name that begins alike.
 *
 * @param enabled Whether anything collapses; with false, nothing else under collapse.executor has an effect.
 * @param waitThreshold Number of inputs below which collecting-wait-time applies to a batch.
 * @param collectingWaitTime What a batch of fewer than wait-threshold inputs does before it starts: negative, nothing; 0,
 *     it yields the processor once; positive, it waits that long for more (milliseconds without a unit).
 * @param maxBatchSize Number of inputs at which a batch is full and starts at once.
 * @param maxConcurrentBatches Number of batches of one group that may be in flight at a time.
 * @param maxConcurrentBatchesTotal Number of batches of all groups of an executor together that may be in flight at a time.
 * @param maxPending Number of callers that may be present at a time; one more is refused.
 * @param maxWait Longest time that a batch waits for calls in flight (milliseconds without a unit).
 * @param maxWaitRatio Part of the age of the oldest call in flight that passes before another call starts beside it.
 * @param callTimeout Longest time that a caller waits for its result; it does not end a call that a blocking caller makes itself
 *     (milliseconds without a unit).
 * @param join Whether a caller may join a call that is already running (in-flight), or only one that has not started
 *     (fresh).
 * @param maxJoinAge With join=in-flight, callers do not join a call that has run for longer; without this, they join a call as long as it
 *     runs (milliseconds without a unit).
 * @param restTemplate RestTemplate and RestClient.
 * @param restClient Another name of rest-template; only one of the two may be given.
 * @param webClient WebClient.
 * @param servlet Requests to this server.
 * @param webflux Requests to this server, where it is a reactive one.
 * @param annotations Methods with Collapsible and CollapseBatch.
 * @param cluster Sharing of calls with other instances, through Redis.
 * @param executors How single executors gather, by their names: rest-template, web-client, servlet, webflux, the name of an
 *     annotation, or one of the application's own.
 * @param writers Writers of rows by their names; group-commit is that of the only or primary data source.
 * @param sequences Numbers from the database.
 */
@ConfigurationProperties(prefix = CollapseExecutorProperties.PREFIX, ignoreUnknownFields = false)
public record CollapseExecutorProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Integer waitThreshold,
        @Nullable Duration collectingWaitTime,
        @Nullable Integer maxBatchSize,
        @Nullable Integer maxConcurrentBatches,
        @Nullable Integer maxConcurrentBatchesTotal,
        @Nullable Integer maxPending,
        @Nullable Duration maxWait,
        @Nullable Double maxWaitRatio,
        @Nullable Duration callTimeout,
        @Nullable JoinMode join,
        @Nullable Duration maxJoinAge,
        @DefaultValue Clients restTemplate,
        @Nullable Clients restClient,
        @DefaultValue Clients webClient,
        @DefaultValue Servlet servlet,
        @DefaultValue Webflux webflux,
        @DefaultValue Annotations annotations,
        @DefaultValue Cluster cluster,
        @DefaultValue Map<String, Gathering> executors,
        @DefaultValue Map<String, Writer> writers,
        @DefaultValue Sequences sequences) {

    public static final String PREFIX = "collapse.executor";

    /** Has the section of RestTemplate and RestClient under one name, whichever it was written under. */
    public CollapseExecutorProperties {
        if (restClient != null) {
            restTemplate = restClient;
        }
    }

    /** The section of requests that has a name; null if that is the name of another executor. */
    public @Nullable HttpSection section(String name) {
        return OptionsReader.SECTIONS.contains(name) ? sections().get(propertyOfSection(name)) : null;
    }

    /** The sections of requests, by the names from the root under which they were written. */
    public Map<String, HttpSection> sections() {
        Map<String, HttpSection> all = new LinkedHashMap<>();
        all.put(propertyOfSection("rest-template"), restTemplate);
        all.put(OptionsReader.WEB_CLIENT, webClient);
        all.put(OptionsReader.SERVLET, servlet);
        all.put(OptionsReader.WEBFLUX, webflux);
        return all;
    }

    /** The name from the root under which a section of requests was written. */
    public String propertyOfSection(String name) {
        String property = PREFIX + "." + name;
        return restClient != null && property.equals(OptionsReader.REST_TEMPLATE)
                ? OptionsReader.REST_CLIENT
                : property;
    }

    /** How every executor gathers that {@code executors} does not name. */
    Gathering gathering() {
        return new Gathering(
                waitThreshold,
                collectingWaitTime,
                maxBatchSize,
                null,
                maxConcurrentBatches,
                maxConcurrentBatchesTotal,
                maxPending,
                maxWait,
                maxWaitRatio,
                callTimeout,
                join,
                maxJoinAge,
                null,
                null);
    }

    /** Whether both switches are on, the one of all and the one of the section. */
    public boolean collapses(HttpSection section) {
        return enabled && section.enabled();
    }

    /**
     * How an executor gathers.
     *
     * @param waitThreshold Number of inputs below which collecting-wait-time applies to a batch.
     * @param collectingWaitTime What a batch of fewer than wait-threshold inputs does before it starts: negative, nothing; 0,
     *     it yields the processor once; positive, it waits that long for more (milliseconds without a unit).
     * @param maxBatchSize Number of inputs at which a batch is full and starts at once.
     * @param maxBatchWeight Sum of weights at which a batch is full; an input weighs 1 unless the executor says otherwise.
     * @param maxConcurrentBatches Number of batches of one group that may be in flight at a time.
     * @param maxConcurrentBatchesTotal Number of batches of all groups of an executor together that may be in flight at a time.
     * @param maxPending Number of callers that may be present at a time; one more is refused.
     * @param maxWait Longest time that a batch waits for calls in flight (milliseconds without a unit).
     * @param maxWaitRatio Part of the age of the oldest call in flight that passes before another call starts beside it.
     * @param callTimeout Longest time that a caller waits for its result; it does not end a call that a blocking caller makes itself
     *     (milliseconds without a unit).
     * @param join Whether a caller may join a call that is already running (in-flight), or only one that has not started
     *     (fresh).
     * @param maxJoinAge With join=in-flight, callers do not join a call that has run for longer; without this, they join a call as long as
     *     it runs (milliseconds without a unit).
     * @param atMostOnce Whether a batch whose thread was interrupted fails rather than being executed again.
     * @param cluster Whether the calls of an executor of callables, or of methods with @Collapsible, are shared with other instances; collapse.executor.cluster
     *     says how.
     */
    public record Gathering(
            @Nullable Integer waitThreshold,
            @Nullable Duration collectingWaitTime,
            @Nullable Integer maxBatchSize,
            @Nullable Long maxBatchWeight,
            @Nullable Integer maxConcurrentBatches,
            @Nullable Integer maxConcurrentBatchesTotal,
            @Nullable Integer maxPending,
            @Nullable Duration maxWait,
            @Nullable Double maxWaitRatio,
            @Nullable Duration callTimeout,
            @Nullable JoinMode join,
            @Nullable Duration maxJoinAge,
            @Nullable Boolean atMostOnce,
            @Nullable Boolean cluster) {}

    /**
     * How the rows of concurrent callers are written.
     *
     * @param dataSource Name of the DataSource bean that the writer takes its connections from; without it, the only or primary one.
     * @param maxBatchSize Number of rows at which a batch is full and is written at once.
     * @param maxConcurrentBatches Number of batches of one statement that may be written at a time, each over a connection of its own.
     * @param collectingWaitTime How long a batch waits for more rows while none is being written (milliseconds without a unit).
     * @param maxPending Number of callers that may be present at a time; one more is refused.
     * @param callTimeout Longest time that a caller waits, or that a future takes (milliseconds without a unit).
     * @param maxRetries How often a batch is tried again that was certainly rolled back.
     * @param networkTimeout How long the database may be silent on a connection that has no network timeout of its own
     *     (milliseconds without a unit).
     * @param inTransaction What happens to a call inside its caller's transaction: it is refused (refuse), or written when that has
     *     committed (after-commit).
     * @param multiRowInserts Whether rows of an INSERT may be sent to PostgreSQL as one statement, if triggers, defaults and constraints
     *     cannot tell the difference.
     * @param commitInStatement Whether a batch that one statement can write (PostgreSQL, MariaDB, MySQL) is its own commit, so that a
     *     connection lost before its response leaves the outcome of all its rows unknown.
     */
    public record Writer(
            @Nullable String dataSource,
            @Nullable Integer maxBatchSize,
            @Nullable Integer maxConcurrentBatches,
            @Nullable Duration collectingWaitTime,
            @Nullable Integer maxPending,
            @Nullable Duration callTimeout,
            @Nullable Integer maxRetries,
            @Nullable Duration networkTimeout,
            @Nullable InTransaction inTransaction,
            @Nullable Boolean multiRowInserts,
            @Nullable Boolean commitInStatement) {}

    /** The values of {@link io.github.collapseexecutor.jdbc.WriteInTransaction}, which is not there without collapse-executor-jdbc. */
    public enum InTransaction {
        REFUSE,
        AFTER_COMMIT
    }

    /**
     * Numbers that concurrent callers take from the database in one round trip.
     *
     * @param dataSource Name of the DataSource bean of the database; without it, the only or primary one.
     * @param poolSize Connections of the pool that numbers are taken with, a copy of the data source's; 0 for the data source itself.
     * @param table Table whose rows are sequences; without it, sequences are those of the database.
     * @param nameColumn Column of the table that holds the name of a sequence.
     * @param numberColumn Column of the table that holds the last number given.
     * @param maxPending Number of callers that may be present at a time; one more is refused.
     * @param callTimeout Longest time that a caller waits for a number (milliseconds without a unit).
     */
    public record Sequences(
            @Nullable String dataSource,
            @DefaultValue("2") int poolSize,
            @Nullable String table,
            @DefaultValue("name") String nameColumn,
            @DefaultValue("last_number") String numberColumn,
            @Nullable Integer maxPending,
            @Nullable Duration callTimeout) {}

    /**
     * Which requests of RestTemplate and RestClient, or of WebClient, collapse.
     *
     * @param enabled Whether requests of these clients collapse.
     * @param collapsePolicies Policies by name: the parts that, beside the path, tell two requests apart.
     * @param collapseGroups Which requests collapse, and by which policy; the first group that matches decides.
     * @param join Whether a request may join a call that is already running (in-flight), or only one that has not started (fresh);
     *     without it, the join of its executor or of all applies.
     * @param applyBeanNames Names of beans of these clients, or of their builders, that collapse without a line of code, each by a request
     *     factory or connector of its own.
     * @param applyHttpServiceGroups Names of groups of HTTP services (ImportHttpServices, Spring Framework 7) whose client collapses, each by
     *     a request factory or connector of its own.
     * @param maxBodySize Largest response body that is shared; callers of a larger one make their own calls.
     * @param ignoredRequestHeaders Request headers that, beside the built-in ones, do not tell two requests apart where a
     *     group names no policy.
     * @param credentialHeaders Request headers that, beside the built-in ones, show for whom a request is made.
     * @param onLeaderFailure What happens to the other callers if the shared call fails: they get the failure, too (share), one of them
     *     calls again for all (re-elect), or each calls for itself (fan-out).
     * @param fanOutLimit Number of callers whose requests are sent to the origin at a time after a response that could not be shared.
     * @param passTtl How long requests do not wait for each other after a response to one of them could not be shared (milliseconds without
     *     a unit).
     * @param followerTimeout Longest time that a caller waits for another's response (milliseconds without a unit).
     * @param onFollowerTimeout Whether the caller then calls for itself (go-alone) or fails (fail).
     * @param cacheStatus Name under which a Cache-Status header tells what collapsing did; without one, none is added.
     * @param dryRun Whether nothing is shared, and the library only counts and compares what it would have shared.
     * @param cluster Whether the beans of apply-bean-names share responses with the beans of their names in other instances;
     *     collapse.executor.cluster says how.
     */
    record Clients(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Map<String, Policy> collapsePolicies,
            @DefaultValue List<Group> collapseGroups,
            @Nullable JoinMode join,
            @DefaultValue List<String> applyBeanNames,
            @DefaultValue List<String> applyHttpServiceGroups,
            @Nullable DataSize maxBodySize,
            @DefaultValue List<String> ignoredRequestHeaders,
            @DefaultValue List<String> credentialHeaders,
            @Nullable LeaderFailurePolicy onLeaderFailure,
            @Nullable Integer fanOutLimit,
            @Nullable Duration passTtl,
            @Nullable Duration followerTimeout,
            @Nullable FollowerTimeoutPolicy onFollowerTimeout,
            @Nullable String cacheStatus,
            @DefaultValue("false") boolean dryRun,
            @DefaultValue("false") boolean cluster)
            implements HttpSection {}

    /**
     * Which requests to this server collapse.
     *
     * @param enabled Whether requests to this server collapse.
     * @param collapsePolicies Policies by name: the parts that, beside the path, tell two requests apart.
     * @param collapseGroups Which requests collapse, and by which policy; the first group that matches decides.
     * @param join Whether a request may join a call that is already running (in-flight), or only one that has not started (fresh);
     *     without it, the join of its executor or of all applies.
     * @param batchSize Number of requests at which a batch is full and starts at once; without it, max-batch-size applies.
     * @param waiting Where a request waits for another's response: on its own thread (block); nowhere, it gives its thread back (async); or
     *     auto, which is async if every filter in front is known to support async dispatch, else block.
     * @param asyncSafeFilters Class names of the application's filters that support async dispatch: a request leaves them without a
     *     response and comes back later.
     * @param threadPool The threads that hand parked requests back to the server.
     * @param maxBodySize Largest response body that is shared; requests for a larger one run the handler themselves.
     * @param ignoredRequestHeaders Request headers that, beside the built-in ones, do not tell two requests apart where a
     *     group names no policy.
     * @param credentialHeaders Request headers that, beside the built-in ones, show for whom a request is made.
     * @param onLeaderFailure What happens to the other requests if the shared handler fails: they get the failure, too (share), one of them
     *     runs the handler again for all (re-elect), or each runs it for itself (fan-out).
     * @param fanOutLimit Number of requests that run the handler at a time after a response that could not be shared.
     * @param passTtl How long requests do not wait for each other after a response to one of them could not be shared (milliseconds without
     *     a unit).
     * @param followerTimeout Longest time that a request waits for another's response (milliseconds without a unit).
     * @param onFollowerTimeout Whether the request then runs the handler itself (go-alone) or fails (fail).
     * @param cacheStatus Name under which a Cache-Status header tells what collapsing did; without one, none is added.
     * @param dryRun Whether nothing is shared, and the library only counts and compares what it would have shared.
     */
    public record Servlet(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Map<String, Policy> collapsePolicies,
            @DefaultValue List<Group> collapseGroups,
            @Nullable JoinMode join,
            @Nullable Integer batchSize,
            @DefaultValue("auto") Waiting waiting,
            @DefaultValue List<String> asyncSafeFilters,
            @DefaultValue ThreadPool threadPool,
            @Nullable DataSize maxBodySize,
            @DefaultValue List<String> ignoredRequestHeaders,
            @DefaultValue List<String> credentialHeaders,
            @Nullable LeaderFailurePolicy onLeaderFailure,
            @Nullable Integer fanOutLimit,
            @Nullable Duration passTtl,
            @Nullable Duration followerTimeout,
            @Nullable FollowerTimeoutPolicy onFollowerTimeout,
            @Nullable String cacheStatus,
            @DefaultValue("false") boolean dryRun)
            implements HttpSection {}

    /**
     * Which requests to this reactive server collapse.
     *
     * @param enabled Whether requests to this reactive server collapse.
     * @param collapsePolicies Policies by name: the parts that, beside the path, tell two requests apart.
     * @param collapseGroups Which requests collapse, and by which policy; the first group that matches decides.
     * @param join Whether a request may join a call that is already running (in-flight), or only one that has not started (fresh);
     *     without it, the join of its executor or of all applies.
     * @param batchSize Number of requests at which a batch is full and starts at once; without it, max-batch-size applies.
     * @param order Order among the web filters of the application; without it, the last one.
     * @param maxBodySize Largest response body that is shared; requests for a larger one run the handler themselves.
     * @param ignoredRequestHeaders Request headers that, beside the built-in ones, do not tell two requests apart where a
     *     group names no policy.
     * @param credentialHeaders Request headers that, beside the built-in ones, show for whom a request is made.
     * @param onLeaderFailure What happens to the other requests if the shared handler fails: they get the failure, too (share), one of them
     *     runs the handler again for all (re-elect), or each runs it for itself (fan-out).
     * @param fanOutLimit Number of requests that run the handler at a time after a response that could not be shared.
     * @param passTtl How long requests do not wait for each other after a response to one of them could not be shared (milliseconds without
     *     a unit).
     * @param followerTimeout Longest time that a request waits for another's response (milliseconds without a unit).
     * @param onFollowerTimeout Whether the request then runs the handler itself (go-alone) or fails (fail).
     * @param cacheStatus Name under which a Cache-Status header tells what collapsing did; without one, none is added.
     * @param dryRun Whether nothing is shared, and the library only counts and compares what it would have shared.
     */
    public record Webflux(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Map<String, Policy> collapsePolicies,
            @DefaultValue List<Group> collapseGroups,
            @Nullable JoinMode join,
            @Nullable Integer batchSize,
            @Nullable Integer order,
            @Nullable DataSize maxBodySize,
            @DefaultValue List<String> ignoredRequestHeaders,
            @DefaultValue List<String> credentialHeaders,
            @Nullable LeaderFailurePolicy onLeaderFailure,
            @Nullable Integer fanOutLimit,
            @Nullable Duration passTtl,
            @Nullable Duration followerTimeout,
            @Nullable FollowerTimeoutPolicy onFollowerTimeout,
            @Nullable String cacheStatus,
            @DefaultValue("false") boolean dryRun)
            implements HttpSection {}

    /**
     * Methods with Collapsible and CollapseBatch.
     *
     * @param enabled Whether annotated methods collapse; with false, each call runs the method itself.
     * @param inTransaction What happens to a call of an annotated method inside a transaction: the method itself runs (pass), or the call
     *     fails (refuse).
     */
    public record Annotations(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("pass") CallInTransaction inTransaction) {}

    /**
     * Sharing of calls with other instances, through Redis.
     *
     * @param enabled Whether calls are shared; with false, every instance makes its own, and Redis is not asked.
     * @param secret At least 16 random bytes, the same for all instances; keys are stored in Redis as hashes that only its owner can
     *     compute, and results are encrypted with it. Keep it out of the source.
     * @param otherSecrets Secrets that other instances may write with while the secret is replaced: the new one before, the old one
     *     after.
     * @param prefix Beginning of the names of keys and channels in Redis; applications that share a Redis need different ones.
     * @param version Version of the application's results; instances of different versions share nothing with one another.
     * @param maxDelay Longest time that Redis may delay a call, beyond the wait for a running call (milliseconds without a unit).
     * @param lease How long a call counts as running without news of its instance (milliseconds without a unit).
     * @param maxWait Longest wait for calls of other instances, and the greatest age of a call in flight that is waited for
     *     (milliseconds without a unit).
     * @param maxWaitRatio Part of the age of the oldest call in flight, of any instance, that passes before another call starts
     *     beside it.
     * @param join Whether a call of another instance that is already running may answer (in-flight) an executor whose own join is
     *     in-flight, or only one that has not started (fresh).
     * @param maxResultSize Largest encoded result that is shared.
     */
    public record Cluster(
            @DefaultValue("true") boolean enabled,
            @Nullable String secret,
            @Nullable List<String> otherSecrets,
            @Nullable String prefix,
            @Nullable String version,
            @Nullable Duration maxDelay,
            @Nullable Duration lease,
            @Nullable Duration maxWait,
            @Nullable Double maxWaitRatio,
            @Nullable JoinMode join,
            @Nullable DataSize maxResultSize) {

        /** Does not show the secrets. */
        @Override
        public String toString() {
            return "Cluster[enabled=" + enabled + ", prefix=" + prefix + ", version=" + version + ", maxDelay="
                    + maxDelay + ", lease=" + lease
                    + ", maxWait=" + maxWait + ", maxWaitRatio=" + maxWaitRatio + ", join=" + join + ", maxResultSize="
                    + maxResultSize + "]";
        }
    }

    /** Where a request waits for another's response. */
    public enum Waiting {
        /** As ASYNC if every filter in front is known to support async dispatch, else as BLOCK. */
        AUTO,
        /** On its own thread. */
        BLOCK,
        /** Nowhere: it gives its thread back. */
        ASYNC
    }

    /**
     * The threads that hand parked requests back to the server.
     *
     * @param virtual Virtual threads.
     */
    public record ThreadPool(@DefaultValue Virtual virtual) {}

    /**
     * Virtual threads.
     *
     * @param enabled Whether a virtual thread hands each waiting request back to the server, rather than the thread that
     *     ended what it waited for; needs Java 21.
     */
    public record Virtual(@DefaultValue("false") boolean enabled) {}

    /**
     * What, beside the path, tells two requests apart.
     *
     * @param collapseRequestHeaders Request headers that tell two requests apart; all others are ignored. Without this list all
     *     count, as where a group names no policy; an empty list ignores all.
     * @param collapseRequestQueries Query parameters that tell two requests apart; all others are ignored. Without this list
     *     the whole query counts; an empty list ignores it.
     * @param strict Whether the whole query and all headers tell two requests apart, listed or not, but for those that are
     *     ignored where a group names no policy.
     * @param collapseClientAddress Whether, on a server, two client addresses tell two requests apart.
     * @param shareAcrossUsers Whether requests with different credentials may share a response.
     * @param stripSetCookie Whether a response that sets cookies is shared, without them.
     */
    public record Policy(
            @Nullable List<String> collapseRequestHeaders,
            @Nullable List<String> collapseRequestQueries,
            @DefaultValue("false") boolean strict,
            @DefaultValue("false") boolean collapseClientAddress,
            @DefaultValue("false") boolean shareAcrossUsers,
            @DefaultValue("false") boolean stripSetCookie) {}

    /**
     * Requests that may share a response.
     *
     * @param collapsePolicyName Key of collapse-policies, or path-only; without one, requests must be equal in everything
     *     that may tell two users or two representations apart.
     * @param uris URI patterns, for example /user/*, or //users.example/user/* at one host only.
     * @param patterns Another name of uris.
     * @param join Whether a request of this group may join a call that is already running (in-flight), or only one that has not started
     *     (fresh); without it, the join of the section decides.
     * @param dryRun Whether nothing of this group is shared, and the library only counts and compares what it would have shared; without
     *     it, the dry-run of the section decides.
     * @param cluster Whether the responses of this group are shared with other instances; without it, the cluster of the section
     *     decides.
     * @param applyBeanNames Names of the beans of clients for which this group holds, and no other one; without any name here, it holds
     *     for the clients of the section.
     * @param applyHttpServiceGroups Names of the groups of HTTP services for which this group holds, and no other one; without any
     *     name here, it holds for the clients of the section.
     */
    public record Group(
            @Nullable String collapsePolicyName,
            @Nullable List<String> uris,
            @Nullable List<String> patterns,
            @Nullable JoinMode join,
            @Nullable Boolean dryRun,
            @Nullable Boolean cluster,
            @DefaultValue List<String> applyBeanNames,
            @DefaultValue List<String> applyHttpServiceGroups) {}
}

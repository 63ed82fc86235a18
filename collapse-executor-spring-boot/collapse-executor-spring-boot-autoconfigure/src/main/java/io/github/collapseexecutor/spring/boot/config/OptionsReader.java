package io.github.collapseexecutor.spring.boot.config;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.InvalidOptionException;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.UriPattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Builds the options that the properties describe. Only the builders know which values are allowed; their refusal is
 * passed on in the words of the YAML.
 */
public final class OptionsReader {

    public static final String REST_TEMPLATE = CollapseExecutorProperties.PREFIX + ".rest-template";
    /** Another name of {@link #REST_TEMPLATE}. */
    public static final String REST_CLIENT = CollapseExecutorProperties.PREFIX + ".rest-client";

    public static final String WEB_CLIENT = CollapseExecutorProperties.PREFIX + ".web-client";
    public static final String SERVLET = CollapseExecutorProperties.PREFIX + ".servlet";
    public static final String WEBFLUX = CollapseExecutorProperties.PREFIX + ".webflux";
    public static final String EXECUTORS = CollapseExecutorProperties.PREFIX + ".executors";
    public static final String WRITERS = CollapseExecutorProperties.PREFIX + ".writers";
    public static final String CLUSTER = CollapseExecutorProperties.PREFIX + ".cluster";
    public static final String SECRET = CLUSTER + ".secret";
    public static final String OTHER_SECRETS = CLUSTER + ".other-secrets";
    /** The names of the sections of requests. Also those without a library are taken: the name would mean something else where there is one. */
    public static final Set<String> SECTIONS = Set.of("rest-template", "web-client", "servlet", "webflux");

    private static final Set<String> SERVERS = Set.of(SERVLET, WEBFLUX);

    private static final String POLICIES = ".collapse-policies";
    private static final String GROUPS = ".collapse-groups";
    private static final String BELONGS_TO_CLIENTS =
            "Remove the property here; it belongs under " + REST_TEMPLATE + GROUPS + " or " + WEB_CLIENT + GROUPS + ".";
    private static final String CORRECT = "Correct the value, or remove the property to keep its default.";

    /** The name of a policy that was written as the element of a list. */
    private static final Pattern LIST_INDEX = Pattern.compile("[0-9]+");

    /** A key that needs no brackets in YAML. */
    private static final Pattern PLAIN_KEY = Pattern.compile("[a-z0-9-]+");

    private OptionsReader() {}

    /** The name of a section, which is that of its executors; one that has two names has the first. */
    public static String nameOf(String section) {
        return section.equals(REST_CLIENT) ? nameOf(REST_TEMPLATE) : section.substring(section.lastIndexOf('.') + 1);
    }

    /** How every executor gathers that has no properties of its own. */
    public static CollapseOptions commonOptions(CollapseExecutorProperties properties) {
        return gathering(CollapseExecutorProperties.PREFIX, properties.gathering(), CollapseOptions.builder())
                .build();
    }

    /** How the executor of this name gathers: what its section says, else what is written for the executor, else for all. */
    public static CollapseOptions coreOptions(String name, CollapseExecutorProperties properties) {
        CollapseOptions.Builder options = commonOptions(properties).toBuilder().name(name);
        CollapseExecutorProperties.Gathering own = properties.executors().get(name);
        if (own != null) {
            CollapseOptions.Builder unused = gathering(propertyOf(name), own, options);
        }
        HttpSection section = properties.section(name);
        if (section != null) {
            setAt(CollapseExecutorProperties.PREFIX + "." + name + ".join", section.join(), options::joinMode);
        }
        return options.build();
    }

    /** The property by which a section of clients, or an executor, shares with other instances. */
    public static String sharingOf(String property) {
        return property + ".cluster";
    }

    /** The property under which an executor has properties of its own. */
    public static String propertyOf(String executor) {
        return propertyOf(EXECUTORS, executor);
    }

    /** The property of an entry of a map by name. */
    public static String propertyOf(String map, String name) {
        return map + (PLAIN_KEY.matcher(name).matches() ? "." + name : "[" + name + "]");
    }

    private static CollapseOptions.Builder gathering(
            String property, CollapseExecutorProperties.Gathering values, CollapseOptions.Builder options) {
        setAt(property + ".wait-threshold", values.waitThreshold(), options::waitThreshold);
        setAt(property + ".collecting-wait-time", values.collectingWaitTime(), options::collectingWaitTime);
        setAt(property + ".max-batch-size", values.maxBatchSize(), options::maxBatchSize);
        setAt(property + ".max-batch-weight", values.maxBatchWeight(), options::maxBatchWeight);
        setAt(property + ".max-concurrent-batches", values.maxConcurrentBatches(), options::maxConcurrentBatches);
        setAt(
                property + ".max-concurrent-batches-total",
                values.maxConcurrentBatchesTotal(),
                options::maxConcurrentBatchesTotal);
        setAt(property + ".max-pending", values.maxPending(), options::maxPending);
        setAt(property + ".max-wait", values.maxWait(), options::maxWait);
        setAt(property + ".max-wait-ratio", values.maxWaitRatio(), options::maxWaitRatio);
        setAt(property + ".call-timeout", values.callTimeout(), options::callTimeout);
        setAt(property + ".join", values.join(), options::joinMode);
        setAt(property + ".max-join-age", values.maxJoinAge(), options::maxJoinAge);
        setAt(property + ".at-most-once", values.atMostOnce(), options::atMostOnce);
        return options;
    }

    /** The same with the batch size that the section of a server names for itself. */
    public static CollapseOptions withBatchSize(String server, @Nullable Integer batchSize, CollapseOptions core) {
        CollapseOptions.Builder options = core.toBuilder();
        setAt(server + ".batch-size", batchSize, options::maxBatchSize);
        return options.build();
    }

    /** The classes of the application's filters that support async dispatch; each has to exist. */
    public static Set<String> asyncSafeFilters(CollapseExecutorProperties.Servlet section) {
        List<String> names = section.asyncSafeFilters();
        for (int i = 0; i < names.size(); i++) {
            if (!ClassUtils.isPresent(names.get(i), null)) {
                throw new InvalidCollapsePropertyException(
                        SERVLET + ".async-safe-filters[" + i + "]",
                        names.get(i),
                        "there is no class of this name on the class path",
                        "Write the full name of the filter's class, with its package, or remove it.");
            }
        }
        return Set.copyOf(names);
    }

    /**
     * Which requests of a section share what.
     *
     * @param property the section's name from the root, by which a refusal names its properties
     * @param more what no property says
     */
    public static HttpCollapseOptions httpOptions(
            String property, HttpSection section, Consumer<HttpCollapseOptions.Builder> more) {
        HttpCollapseOptions.Builder options = HttpCollapseOptions.builder();
        more.accept(options);
        options.rules(groups(property, section, policies(property, section.collapsePolicies())));
        setAll(property + ".credential-headers", section.credentialHeaders(), options::credentialHeaders);
        setAll(property + ".ignored-request-headers", section.ignoredRequestHeaders(), options::ignoredRequestHeaders);
        setAt(property + ".max-body-size", section.maxBodySize(), size -> options.maxBodySize(size.toBytes()));
        setAt(property + ".on-leader-failure", section.onLeaderFailure(), options::onLeaderFailure);
        setAt(property + ".fan-out-limit", section.fanOutLimit(), options::fanOutLimit);
        setAt(property + ".pass-ttl", section.passTtl(), options::passTtl);
        setAt(property + ".follower-timeout", section.followerTimeout(), options::followerTimeout);
        setAt(property + ".on-follower-timeout", section.onFollowerTimeout(), options::onFollowerTimeout);
        setAt(property + ".cache-status", section.cacheStatus(), options::cacheStatus);
        return options.build();
    }

    private static Map<String, CollapsePolicy> policies(
            String adapter, Map<String, CollapseExecutorProperties.Policy> sections) {
        Map<String, CollapsePolicy> policies = new LinkedHashMap<>();
        for (CollapsePolicy builtIn : List.of(CollapsePolicy.strict(), CollapsePolicy.pathOnly())) {
            policies.put(builtIn.name(), builtIn);
        }
        sections.forEach((name, section) -> {
            String property = adapter + POLICIES + "." + name;
            if (LIST_INDEX.matcher(name).matches()) {
                throw new InvalidCollapsePropertyException(
                        adapter + POLICIES + "[" + name + "]",
                        name,
                        "policies are no list: the name of a policy is its key",
                        UnknownProperty.POLICY_EXAMPLE);
            }
            if (policies.containsKey(name)) {
                throw new InvalidCollapsePropertyException(
                        property,
                        name,
                        "this is the name of a built-in policy, which cannot be redefined",
                        "Give the policy another name, here and in the groups that name it.");
            }
            CollapsePolicy.Builder policy = CollapsePolicy.named(name);
            setAll(property + ".collapse-request-headers", section.collapseRequestHeaders(), policy::requestHeaders);
            setAll(property + ".collapse-request-queries", section.collapseRequestQueries(), policy::requestQueries);
            policy.strict(section.strict());
            policy.clientAddress(clientAddress(adapter, property, section));
            policy.shareAcrossUsers(section.shareAcrossUsers());
            policy.stripSetCookie(section.stripSetCookie());
            policies.put(name, policy.build());
        });
        return policies;
    }

    private static boolean clientAddress(String adapter, String policy, CollapseExecutorProperties.Policy section) {
        if (section.collapseClientAddress() && !SERVERS.contains(adapter)) {
            throw new InvalidCollapsePropertyException(
                    policy + ".collapse-client-address",
                    true,
                    "only a server has requests from several client addresses",
                    "Remove the property here; it belongs under " + SERVLET + POLICIES + " or " + WEBFLUX + POLICIES
                            + ".");
        }
        return section.collapseClientAddress();
    }

    private static List<CollapseRule> groups(
            String adapter, HttpSection section, Map<String, CollapsePolicy> policies) {
        List<CollapseExecutorProperties.Group> sections = section.collapseGroups();
        List<CollapseRule> groups = new ArrayList<>();
        for (int i = 0; i < sections.size(); i++) {
            String property = groupOf(adapter, i);
            refuseClientsOfServer(adapter, property, sections.get(i));
            CollapsePolicy policy = policy(adapter, property, sections.get(i).collapsePolicyName(), policies);
            CollapseRule rule = CollapseRule.of(policy, patterns(property, sections.get(i)));
            CollapseRule placed = isShared(adapter, property, section, sections.get(i)) ? rule : rule.withinInstance();
            JoinMode join = sections.get(i).join();
            CollapseRule joining = join == null ? placed : placed.joining(join);
            Boolean dryRun = sections.get(i).dryRun();
            groups.add(
                    (dryRun == null ? section.dryRun() : dryRun)
                            ? joining.inDryRun(new DryRun(property + " " + rule.patterns()))
                            : joining);
        }
        return groups;
    }

    /** The property of a group, by its place. */
    public static String groupOf(String section, int index) {
        return section + GROUPS + "[" + index + "]";
    }

    private static void refuseClientsOfServer(String adapter, String property, CollapseExecutorProperties.Group group) {
        for (ClientKind kind : ClientKind.values()) {
            if (SERVERS.contains(adapter) && !kind.namesIn(group).isEmpty()) {
                throw new InvalidCollapsePropertyException(
                        property + "." + kind.key(),
                        String.join(", ", kind.namesIn(group)),
                        "a server has no clients of its own to name",
                        BELONGS_TO_CLIENTS);
            }
        }
    }

    /** Whether a group shares with other instances, if its clients can. */
    private static boolean isShared(
            String adapter, String property, HttpSection section, CollapseExecutorProperties.Group group) {
        if (Boolean.TRUE.equals(group.cluster()) && SERVERS.contains(adapter)) {
            throw new InvalidCollapsePropertyException(
                    property + ".cluster",
                    true,
                    "only clients share responses with other instances",
                    BELONGS_TO_CLIENTS);
        }
        if (group.cluster() != null) {
            return group.cluster();
        }
        // Where no property says anything, a client may be given other instances in code.
        return section.cluster()
                || section.collapseGroups().stream().noneMatch(other -> Boolean.TRUE.equals(other.cluster()));
    }

    private static CollapsePolicy policy(
            String adapter, String group, @Nullable String name, Map<String, CollapsePolicy> policies) {
        if (name == null) {
            return CollapsePolicy.strict();
        }
        CollapsePolicy policy = policies.get(name);
        if (policy == null) {
            throw new InvalidCollapsePropertyException(
                    group + ".collapse-policy-name",
                    name,
                    "there is no policy of this name" + NearestName.question(name, policies.keySet()),
                    "Name one of " + String.join(", ", policies.keySet()) + ", define the policy under " + adapter
                            + POLICIES
                            + ", or leave the name out: then requests must be equal in everything that may matter.");
        }
        return policy;
    }

    private static List<UriPattern> patterns(String group, CollapseExecutorProperties.Group section) {
        if (section.uris() != null && section.patterns() != null) {
            throw new InvalidCollapsePropertyException(
                    group + ".patterns",
                    section.patterns(),
                    "patterns is another name of uris, and the group has both",
                    "Put all of them under uris.");
        }
        String property = group + (section.patterns() != null ? ".patterns" : ".uris");
        List<String> sources = section.patterns() != null ? section.patterns() : section.uris();
        if (sources == null || sources.isEmpty()) {
            throw new InvalidCollapsePropertyException(
                    property,
                    "[]",
                    "without a URI pattern no request can belong to the group",
                    "Give at least one URI pattern, for example /user/*");
        }
        List<UriPattern> patterns = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            check(property + "[" + i + "]", sources.get(i), source -> patterns.add(UriPattern.parse(source)));
        }
        return patterns;
    }

    public static <T> void setAt(String property, @Nullable T value, Consumer<T> builder) {
        if (value != null) {
            check(property, value, builder);
        }
    }

    /** Offers the names one by one before all together, so that a refusal is about one line of the YAML. */
    private static void setAll(String property, @Nullable List<String> names, Consumer<List<String>> builder) {
        if (names == null) {
            return;
        }
        for (int i = 0; i < names.size(); i++) {
            check(property + "[" + i + "]", names.get(i), name -> builder.accept(List.of(name)));
        }
        builder.accept(names);
    }

    private static <T> void check(String property, T value, Consumer<T> builder) {
        try {
            builder.accept(value);
        } catch (InvalidOptionException e) {
            throw new InvalidCollapsePropertyException(property, value, e.requirement(), CORRECT, e);
        } catch (IllegalArgumentException e) { // of a URI pattern, which is no option by itself
            throw new InvalidCollapsePropertyException(property, value, String.valueOf(e.getMessage()), CORRECT, e);
        }
    }
}

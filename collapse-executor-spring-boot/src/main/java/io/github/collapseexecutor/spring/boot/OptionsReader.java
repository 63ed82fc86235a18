package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapseGroup;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailure;
import io.github.collapseexecutor.http.UriPattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * Builds the options that the properties describe. What a value must be is known to the builders alone; their refusal is
 * passed on in the words of the YAML.
 */
final class OptionsReader {

    static final String REST_TEMPLATE = CollapseExecutorProperties.PREFIX + ".rest-template";

    private static final String POLICIES = REST_TEMPLATE + ".collapse-policies";
    private static final String GROUPS = REST_TEMPLATE + ".collapse-groups";
    private static final String CORRECT = "Correct the value, or remove the property to keep its default.";

    /** The Java name of the argument, with or without its value, that opens a builder's message: the YAML has other names. */
    private static final Pattern ARGUMENT = Pattern.compile("^[a-z][A-Za-z]*( is [^:]*)?: ");

    private OptionsReader() {}

    static CollapseOptions coreOptions(CollapseExecutorProperties properties) {
        CollapseOptions.Builder options = CollapseOptions.builder().name("rest-template");
        set("wait-threshold", properties.waitThreshold(), options::waitThreshold);
        set("collecting-wait-time", properties.collectingWaitTime(), options::collectingWaitTime);
        set("max-batch-size", properties.maxBatchSize(), options::maxBatchSize);
        set("max-concurrent-batches", properties.maxConcurrentBatches(), options::maxConcurrentBatches);
        set("max-pending", properties.maxPending(), options::maxPending);
        set("max-wait", properties.maxWait(), options::maxWait);
        set("max-wait-ratio", properties.maxWaitRatio(), options::maxWaitRatio);
        set("call-timeout", properties.callTimeout(), options::callTimeout);
        set("join", properties.join(), options::joinMode);
        return options.build();
    }

    static HttpCollapseOptions httpOptions(CollapseExecutorProperties.RestTemplate section) {
        HttpCollapseOptions.Builder options = HttpCollapseOptions.builder();
        options.groups(groups(section.collapseGroups(), policies(section.collapsePolicies())));
        setAll(
                REST_TEMPLATE + ".ignored-request-headers",
                section.ignoredRequestHeaders(),
                options::ignoredRequestHeaders);
        DataSize maxBodySize = section.maxBodySize();
        if (maxBodySize != null) {
            check(REST_TEMPLATE + ".max-body-size", maxBodySize, size -> options.maxBodySize(size.toBytes()));
        }
        LeaderFailure onLeaderFailure = section.onLeaderFailure();
        if (onLeaderFailure != null) {
            options.onLeaderFailure(onLeaderFailure);
        }
        return options.build();
    }

    private static Map<String, CollapsePolicy> policies(Map<String, CollapseExecutorProperties.Policy> sections) {
        Map<String, CollapsePolicy> policies = new LinkedHashMap<>();
        for (CollapsePolicy builtIn : List.of(CollapsePolicy.strict(), CollapsePolicy.pathOnly())) {
            policies.put(builtIn.name(), builtIn);
        }
        sections.forEach((name, section) -> {
            String property = POLICIES + "." + name;
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
            policy.shareAcrossUsers(section.shareAcrossUsers());
            policy.stripSetCookie(section.stripSetCookie());
            policies.put(name, policy.build());
        });
        return policies;
    }

    private static List<CollapseGroup> groups(
            List<CollapseExecutorProperties.Group> sections, Map<String, CollapsePolicy> policies) {
        List<CollapseGroup> groups = new ArrayList<>();
        for (int i = 0; i < sections.size(); i++) {
            String property = GROUPS + "[" + i + "]";
            CollapsePolicy policy = policy(property, sections.get(i).collapsePolicyName(), policies);
            groups.add(CollapseGroup.of(policy, patterns(property, sections.get(i))));
        }
        return groups;
    }

    private static CollapsePolicy policy(String group, @Nullable String name, Map<String, CollapsePolicy> policies) {
        if (name == null) {
            return CollapsePolicy.strict();
        }
        CollapsePolicy policy = policies.get(name);
        if (policy == null) {
            throw new InvalidCollapsePropertyException(
                    group + ".collapse-policy-name",
                    name,
                    "there is no policy of this name" + NearestName.question(name, policies.keySet()),
                    "Name one of " + String.join(", ", policies.keySet()) + ", define the policy under " + POLICIES
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

    private static <T> void set(String key, @Nullable T value, Consumer<T> builder) {
        if (value != null) {
            check(CollapseExecutorProperties.PREFIX + "." + key, value, builder);
        }
    }

    /** Offers the names one by one before all together, so that a refusal is about one line of the YAML. */
    private static void setAll(String property, List<String> names, Consumer<List<String>> builder) {
        for (int i = 0; i < names.size(); i++) {
            check(property + "[" + i + "]", names.get(i), name -> builder.accept(List.of(name)));
        }
        builder.accept(names);
    }

    private static <T> void check(String property, T value, Consumer<T> builder) {
        try {
            builder.accept(value);
        } catch (IllegalArgumentException e) {
            String reason = ARGUMENT.matcher(String.valueOf(e.getMessage())).replaceFirst("");
            throw new InvalidCollapsePropertyException(property, value, reason, CORRECT, e);
        }
    }
}

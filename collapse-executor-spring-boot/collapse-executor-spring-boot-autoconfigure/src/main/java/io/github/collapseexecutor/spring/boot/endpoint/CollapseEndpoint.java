package io.github.collapseexecutor.spring.boot.endpoint;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.DryRunReport;
import io.github.collapseexecutor.http.HttpCollapseCounts;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.UriPattern;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.CollapseControl;
import io.github.collapseexecutor.spring.boot.cluster.InstanceSharing;
import io.github.collapseexecutor.spring.boot.config.EnumWord;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.MadeExecutors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code collapse}: shows each section, its groups, the executors of annotated methods, the named executors and what
 * they have done, and switches the sections and the annotated methods. It shows numbers and the configuration, and nothing of a request.
 *
 * <p>Only reading is allowed unless {@code management.endpoint.collapse.access} is {@code unrestricted}.
 */
@Endpoint(id = "collapse", defaultAccess = Access.READ_ONLY)
record CollapseEndpoint(
        HttpSections adapters,
        CollapseControl control,
        StatisticsObserver statistics,
        ObjectProvider<CollapsingControl> annotated,
        MadeExecutors named,
        ObjectProvider<InstanceSharing> sharing) {

    /** What shows and switches the sharing with other instances, where there is any. */
    private static final String CLUSTER = "cluster";

    /** What a write operation may do. */
    private static final String ACTIONS = "pause, resume and, of a section, forget";

    @ReadOperation
    Map<String, Object> sections() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("sections", shownSections());
        all.put("executors", shownExecutors());
        sharing.ifAvailable(instances -> all.put(CLUSTER, instances.shown()));
        return all;
    }

    private Map<String, Map<String, Object>> shownSections() {
        Map<String, Map<String, Object>> shown = new LinkedHashMap<>();
        adapters.all().forEach(section -> shown.put(section.name(), shown(section)));
        return shown;
    }

    private Map<String, Map<String, Object>> shownExecutors() {
        Map<String, Map<String, Object>> shown = new LinkedHashMap<>();
        named.names().forEach(executor -> shown.put(executor, shown(executor)));
        annotated.ifAvailable(methods ->
                methods.executors().forEach(executor -> shown.put(executor, shown(methods, executor))));
        return shown;
    }

    /** Returns null, which is "not found", if there is no such section and no such executor. */
    @ReadOperation
    @Nullable Map<String, Object> section(@Selector String section) {
        InstanceSharing instances = ofCluster(section);
        if (instances != null) {
            return instances.shown();
        }
        Map<String, Object> present = shownSections().get(section);
        return present == null ? shownExecutors().get(section) : present;
    }

    private @Nullable InstanceSharing ofCluster(String section) {
        return section.equals(CLUSTER) ? sharing.getIfAvailable() : null;
    }

    /** Returns the report of what was changed: an engineer in an incident sees the new state, and no other section's. */
    @WriteOperation
    @Nullable Map<String, Object> changeSection(@Selector String section, String action) {
        if (ofCluster(section) != null) {
            switch (action) {
                case "pause" -> control.pauseSharing();
                case "resume" -> control.resumeSharing();
                default -> throw unknown(action);
            }
            return section(section);
        }
        switch (action) {
            case "pause" -> change(() -> control.pause(section));
            case "resume" -> change(() -> control.resume(section));
            case "forget" -> change(() -> control.forgetPassingKeys(section));
            default -> throw unknown(action);
        }
        return section(section);
    }

    @WriteOperation
    @Nullable Map<String, Object> changeGroup(@Selector String section, @Selector int group, String action) {
        switch (action) {
            case "pause" -> change(() -> control.pause(section, group));
            case "resume" -> change(() -> control.resume(section, group));
            default -> throw unknown(action);
        }
        return section(section);
    }

    /** What is not there is the caller's mistake, and is answered as such. */
    private static void change(Runnable change) {
        try {
            change.run();
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(
                    String.valueOf(e.getMessage()), String.valueOf(e.getMessage()), e);
        }
    }

    private static InvalidEndpointRequestException unknown(String action) {
        String message = "There is no action " + action + ": there are " + ACTIONS;
        return new InvalidEndpointRequestException(message, message);
    }

    private Map<String, Object> shown(HttpSections.Section section) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("enabled", section.enabled());
        shown.put("paused", section.control().isPaused());
        shown.put("groups", groups(section));
        shown.put("settings", settings(section));
        HttpCollapseCounts counts = section.control().counts();
        Map<String, Object> now = now(counts.callers(), counts.gathering(), counts.batchesInFlight(), counts.groups());
        now.put("adapters", counts.adapters());
        now.put("passingKeys", counts.passingKeys());
        shown.put("now", now);
        shown.putAll(statistics.of(section.name()).shown());
        return shown;
    }

    /** An executor of annotated methods, or all of one name. */
    private Map<String, Object> shown(CollapsingControl methods, String executor) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("paused", methods.isPaused(executor));
        shown.putAll(shown(executor, methods.options(executor), methods.counts(executor)));
        return shown;
    }

    /** A named executor, or all of one name. */
    private Map<String, Object> shown(String executor) {
        return shown(executor, named.options(executor), named.counts(executor));
    }

    private Map<String, Object> shown(String executor, CollapseOptions options, List<CollapseCounts> counts) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("settings", settings(options));
        CollapseCounts all = counts.stream().reduce(CollapseCounts::plus).orElseThrow();
        shown.put("now", now(all.callers(), all.gathering(), all.batchesInFlight(), all.groups()));
        shown.putAll(statistics.ofExecutor(executor).shown());
        return shown;
    }

    private static Map<String, Object> now(int pending, int gathering, int inFlight, int groups) {
        Map<String, Object> now = new LinkedHashMap<>();
        now.put("pending", pending);
        now.put("gathering", gathering);
        now.put("inFlight", inFlight);
        now.put("groups", groups);
        return now;
    }

    private static List<Map<String, Object>> groups(HttpSections.Section section) {
        List<Map<String, Object>> groups = new ArrayList<>();
        List<CollapseRule> rules = section.http().rules();
        for (int i = 0; i < rules.size(); i++) {
            CollapseRule rule = rules.get(i);
            Map<String, Object> group = new LinkedHashMap<>();
            group.put("uris", rule.patterns().stream().map(UriPattern::toString).toList());
            group.put("policy", rule.policy().name());
            JoinMode join = rule.joinMode();
            group.put("join", EnumWord.of(join == null ? section.core().joinMode() : join));
            group.put("shareAcrossUsers", rule.policy().shareAcrossUsers());
            group.put("paused", section.control().isPaused(rule));
            List<String> clients = section.clientsOf(i);
            if (!clients.isEmpty()) {
                group.put("clients", clients);
            }
            DryRun dryRun = rule.dryRun();
            if (dryRun != null) {
                group.put("dryRun", found(dryRun.report()));
            }
            groups.add(group);
        }
        return groups;
    }

    private static Map<String, Object> found(DryRunReport report) {
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("requests", report.requests());
        found.put("shared", report.shared());
        found.put("notShared", SectionStatistics.byWord(report.notShared()));
        found.put("refused", report.refused());
        found.put("compared", report.compared());
        found.put("different", report.different());
        found.put("unexplained", report.unexplained());
        found.put("parts", new TreeMap<>(report.parts()));
        List<Map<String, Object>> explanations = new ArrayList<>();
        for (DryRunReport.Explanation explanation : report.explanations()) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("name", explanation.name());
            shown.put("different", explanation.different());
            shown.put("same", explanation.same());
            explanations.add(shown);
        }
        found.put("explanations", explanations);
        return found;
    }

    private static Map<String, Object> settings(HttpSections.Section section) {
        Map<String, Object> settings = settings(section.core());
        HttpCollapseOptions http = section.http();
        settings.put("maxBodySize", http.maxBodySize());
        settings.put("passTtl", http.passTtl().toString());
        settings.put("fanOutLimit", http.fanOutLimit());
        settings.put("onTransportFailure", EnumWord.of(http.onTransportFailure()));
        settings.put("onErrorResponse", EnumWord.of(http.onErrorResponse()));
        settings.put("followerTimeout", orNone(http.followerTimeout()));
        settings.put("onFollowerTimeout", EnumWord.of(http.onFollowerTimeout()));
        return settings;
    }

    private static Map<String, Object> settings(CollapseOptions core) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("join", EnumWord.of(core.joinMode()));
        settings.put("maxJoinAge", orNone(core.maxJoinAge()));
        settings.put("waitThreshold", core.waitThreshold());
        settings.put("collectingWaitTime", core.collectingWaitTime().toString());
        settings.put("maxBatchSize", limit(core.maxBatchSize()));
        settings.put("maxBatchWeight", limit(core.maxBatchWeight()));
        settings.put("maxConcurrentBatches", limit(core.maxConcurrentBatches()));
        settings.put("maxConcurrentBatchesTotal", limit(core.maxConcurrentBatchesTotal()));
        settings.put("maxPending", limit(core.maxPending()));
        settings.put("maxWait", core.maxWait().toString());
        settings.put("maxWaitRatio", core.maxWaitRatio());
        settings.put("atMostOnce", core.atMostOnce());
        settings.put("callTimeout", orNone(core.callTimeout()));
        return settings;
    }

    private static String orNone(@Nullable Duration duration) {
        return duration == null ? "none" : duration.toString();
    }

    /** A word for the numbers that stand for no limit: the largest cannot be read exactly by every reader of JSON. */
    private static Object limit(long limit) {
        return limit == CollapseOptions.UNLIMITED || limit == CollapseOptions.UNLIMITED_WEIGHT ? "unlimited" : limit;
    }
}

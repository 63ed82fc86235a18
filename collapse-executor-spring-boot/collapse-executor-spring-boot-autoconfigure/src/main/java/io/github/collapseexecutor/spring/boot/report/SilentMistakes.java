package io.github.collapseexecutor.spring.boot.report;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.UriPattern;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.EnumWord;
import io.github.collapseexecutor.spring.boot.config.HttpSection;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * What in a section is allowed and hardly meant: each is said once, at the start, with the property and the remedy.
 *
 * @param property the section's name from the root
 * @param section what stands there
 * @param clients those of the section
 * @param groups the groups that were made of it, in order
 * @param core how its executor gathers
 */
record SilentMistakes(
        String property, HttpSection section, SectionClients clients, List<CollapseRule> groups, CollapseOptions core) {

    /** A shorter time-out is taken for a number whose unit was forgotten. */
    private static final Duration SHORTEST = Duration.ofMillis(10);

    /** A smaller size is taken for a number whose unit was forgotten. */
    private static final DataSize SMALLEST = DataSize.ofKilobytes(1);

    /** As in {@code /user?name=x}: one character, then something that looks like a parameter. */
    private static final Pattern QUERY = Pattern.compile("\\?[^/?*]*=");

    /** Returns a sentence or two about each mistake. */
    List<String> all() {
        List<String> mistakes = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            for (UriPattern pattern : groups.get(i).patterns()) {
                addShadowed(i, pattern, mistakes);
                addQuery(i, pattern, mistakes);
            }
            addPathOnly(i, mistakes);
        }
        addUnusedPolicies(mistakes);
        addShort(property + ".follower-timeout", section.followerTimeout(), mistakes);
        addSmall(property + ".max-body-size", section.maxBodySize(), mistakes);
        addFollowerTimeout(mistakes);
        addOverridden(mistakes);
        if (section instanceof CollapseExecutorProperties.Servlet servlet) {
            addWaiting(servlet, mistakes);
        }
        return mistakes;
    }

    /** Adds a time-out that is hardly meant to be so short. */
    static void addShort(String property, @Nullable Duration timeout, List<String> mistakes) {
        if (timeout != null && timeout.compareTo(SHORTEST) < 0) {
            mistakes.add(property + " is " + timeout.toMillis() + " ms, after which hardly any answer has come."
                    + " A number without a unit is a number of milliseconds; write for example 2s for two seconds.");
        }
    }

    /** Adds a size that is hardly meant to be so small; 0 shares what has no body. */
    static void addSmall(String property, @Nullable DataSize size, List<String> mistakes) {
        if (size != null && size.toBytes() > 0 && size.compareTo(SMALLEST) < 0) {
            mistakes.add(
                    property + " is " + size.toBytes() + " bytes, which hardly anything fits into. A number without a"
                            + " unit is a number of bytes; write for example 2MB for two megabytes.");
        }
    }

    private void addFollowerTimeout(List<String> mistakes) {
        Duration follower = section.followerTimeout();
        Duration call = core.callTimeout();
        if (follower == null && section.onFollowerTimeout() != null) {
            mistakes.add(property + ".on-follower-timeout (" + EnumWord.of(section.onFollowerTimeout())
                    + ") has no effect: without " + property
                    + ".follower-timeout, no wait for another's response ends early."
                    + " Set the time-out, or remove the property.");
        }
        if (follower != null && call != null && follower.compareTo(call) >= 0) {
            mistakes.add(property + ".follower-timeout (" + follower.toMillis()
                    + "ms) has no effect: call-timeout, which holds for " + OptionsReader.nameOf(property) + ", is "
                    + call.toMillis() + "ms and ends the wait before. Set a shorter one, or remove the property.");
        }
    }

    /** What a section says for all its groups, and each of them says for itself; and what a policy says twice. */
    private void addOverridden(List<String> mistakes) {
        List<CollapseExecutorProperties.Group> all = section.collapseGroups();
        if (section.dryRun() && all.stream().allMatch(group -> group.dryRun() != null)) {
            mistakes.add(overridden("dry-run", "true"));
        }
        if (section.join() != null && all.stream().allMatch(group -> group.join() != null)) {
            mistakes.add(overridden("join", EnumWord.of(section.join())));
        }
        if (section.cluster() && all.stream().allMatch(group -> group.cluster() != null)) {
            mistakes.add(overridden("cluster", "true"));
        }
        if (!section.ignoredRequestHeaders().isEmpty()
                && groups.stream().noneMatch(group -> group.policy().everyHeader())) {
            mistakes.add(property + ".ignored-request-headers (" + String.join(", ", section.ignoredRequestHeaders())
                    + ") has no effect: the policy of each group names the headers that count. Remove the property, or the"
                    + " lists of headers.");
        }
        section.collapsePolicies().forEach((name, policy) -> {
            if (policy.strict() && policy.collapseRequestQueries() != null) {
                mistakes.add(OptionsReader.propertyOf(property + ".collapse-policies", name)
                        + ".collapse-request-queries has no effect: the policy is strict, so that the whole query counts."
                        + " Remove one of the two.");
            }
        });
    }

    private String overridden(String key, String value) {
        return property + "." + key + " (" + value + ") has no effect: each of its groups has a " + key
                + " of its own. Remove it here, or from the groups that are to follow it.";
    }

    private static void addWaiting(CollapseExecutorProperties.Servlet servlet, List<String> mistakes) {
        CollapseExecutorProperties.Waiting waiting = servlet.waiting();
        if (waiting != CollapseExecutorProperties.Waiting.AUTO
                && !servlet.asyncSafeFilters().isEmpty()) {
            mistakes.add(OptionsReader.SERVLET + ".async-safe-filters has no effect: waiting is " + EnumWord.of(waiting)
                    + ", whatever the filters are. Set waiting to auto, or remove the property.");
        }
        if (waiting == CollapseExecutorProperties.Waiting.BLOCK
                && servlet.threadPool().virtual().enabled()) {
            mistakes.add(OptionsReader.SERVLET
                    + ".thread-pool.virtual.enabled (true) has no effect: waiting is block, so that"
                    + " no request is handed back. Set waiting to auto or async, or remove the property.");
        }
    }

    private String group(int index) {
        return OptionsReader.groupOf(property, index);
    }

    private void addShadowed(int index, UriPattern pattern, List<String> mistakes) {
        for (int earlier = 0; earlier < index; earlier++) {
            for (UriPattern first : groups.get(earlier).patterns()) {
                if (first.covers(pattern) && clients.holdsWherever(earlier, index)) {
                    mistakes.add(group(index) + " never decides about " + pattern + ": " + group(earlier)
                            + " comes first, and its " + first + " matches all of that. Move the narrower group up.");
                    return;
                }
            }
        }
    }

    private void addQuery(int index, UriPattern pattern, List<String> mistakes) {
        if (!pattern.toString().startsWith("regex:")
                && QUERY.matcher(pattern.toString()).find()) {
            mistakes.add(
                    "The pattern " + pattern + " of " + group(index) + " matches no query: patterns see the path only,"
                            + " and '?' is any one character. Leave the query out; a policy names the parameters that count in"
                            + " collapse-request-queries.");
        }
    }

    /** The shortest policy to write ignores the most, so its group is told what. */
    private void addPathOnly(int index, List<String> mistakes) {
        if (groups.get(index).policy() == CollapsePolicy.pathOnly()) {
            mistakes.add(group(index) + " has the policy path-only, which ignores the whole query and every header but"
                    + " credentials, validators and Idempotency-Key: two requests to one path get one answer although they ask"
                    + " for different pages, searches or languages. If an answer depends on more than its path, list that in"
                    + " a policy of your own, or remove collapse-policy-name: then everything counts that may matter.");
        }
    }

    private void addUnusedPolicies(List<String> mistakes) {
        Set<String> unused = new LinkedHashSet<>(section.collapsePolicies().keySet());
        groups.forEach(group -> unused.remove(group.policy().name()));
        for (String name : unused) {
            mistakes.add("No group uses the policy " + property + ".collapse-policies." + name
                    + ". Name it as the collapse-policy-name of a group, or remove it.");
        }
    }
}

package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.UriPattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What in a section is allowed and hardly meant: each is said once, at the start, with the property and the remedy. */
final class SilentMistakes {

    /** A shorter time-out is taken for a number whose unit was forgotten. */
    private static final Duration SHORTEST = Duration.ofMillis(10);

    /** As in {@code /user?name=x}: one character, then something that looks like a parameter. */
    private static final Pattern QUERY = Pattern.compile("\\?[^/?*]*=");

    // immutable
    private final String property;
    private final HttpSection section;
    private final SectionClients clients;
    private final List<CollapseRule> groups;

    /**
     * Looks at a section.
     *
     * @param property the section's name from the root
     * @param clients those of the section
     * @param groups the groups that were made of it, in order
     */
    SilentMistakes(String property, HttpSection section, SectionClients clients, List<CollapseRule> groups) {
        this.property = property;
        this.section = section;
        this.clients = clients;
        this.groups = groups;
    }

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
        return mistakes;
    }

    /** Adds a time-out that is hardly meant to be so short. */
    static void addShort(String property, @Nullable Duration timeout, List<String> mistakes) {
        if (timeout != null && timeout.compareTo(SHORTEST) < 0) {
            mistakes.add(property + " is " + timeout.toMillis() + " ms, after which hardly any answer has come."
                    + " A number without a unit is a number of milliseconds; write for example 2s for two seconds.");
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

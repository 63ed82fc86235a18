package io.github.collapseexecutor.http;

import io.github.collapseexecutor.http.message.NormalizedPath;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first of many groups that a request belongs to. The patterns hang in a tree by the plain segments that they begin
 * with, so that a path is held against those only that begin as it does. Public for other packages of the library only.
 */
public final class GroupIndex {

    /** One pattern of a group, which comes before those of a higher rank. */
    private record Entry(int rank, UriPattern pattern, CollapseRule rule) {}

    /** Where patterns end to begin alike. */
    private static final class Node {

        // immutable once the index is made
        private final Map<String, Node> children = new HashMap<>();
        /** Those that go on otherwise than by plain text, or end here; by rank. */
        private final List<Entry> entries = new ArrayList<>();
    }

    // immutable
    private final Node root = new Node();

    /**
     * Makes the index.
     *
     * @param groups in the order in which they are tried
     */
    public GroupIndex(List<CollapseRule> groups) {
        int rank = 0;
        for (CollapseRule group : groups) {
            for (UriPattern pattern : group.patterns()) {
                Node node = root;
                for (String segment : pattern.plainPrefix()) {
                    node = node.children.computeIfAbsent(segment, absent -> new Node());
                }
                node.entries.add(new Entry(rank++, pattern, group));
            }
        }
    }

    /**
     * Returns the first group with a pattern that matches.
     *
     * @param path the path that counts
     * @param uri the address, whose host counts
     * @return the group, or null if there is none
     */
    public @Nullable CollapseRule ruleFor(NormalizedPath path, URI uri) {
        return first(path, pattern -> pattern.matches(path, uri));
    }

    /**
     * Tells whether a pattern matches a path, whatever the host.
     *
     * @param path the path that counts
     * @return false if none does
     */
    public boolean covers(NormalizedPath path) {
        return first(path, pattern -> pattern.matches(path)) != null;
    }

    private @Nullable CollapseRule first(NormalizedPath path, Predicate<UriPattern> matches) {
        List<String> segments = path.segments();
        Entry first = null;
        Node node = root;
        for (int depth = 0; node != null; depth++) {
            first = firstOf(node, matches, first);
            node = depth < segments.size() ? node.children.get(segments.get(depth)) : null;
        }
        return first == null ? null : first.rule();
    }

    private static @Nullable Entry firstOf(Node node, Predicate<UriPattern> matches, @Nullable Entry found) {
        for (int i = 0; i < node.entries.size(); i++) {
            Entry entry = node.entries.get(i);
            if (found != null && entry.rank() > found.rank()) {
                return found;
            }
            if (matches.test(entry.pattern())) {
                return entry;
            }
        }
        return found;
    }
}

package io.github.collapseexecutor.http.servlet.zoo;

import io.github.collapseexecutor.http.servlet.ServersOfThisLine;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One server, and one way to wait.
 *
 * @param server the make of the server
 * @param waiting how requests wait for another's handler
 */
public record ZooSetting(ZooServer server, Waiting waiting) {

    private static final String WAITING = "collapse.executor.servlet.waiting";

    /** Whether every mode is run, as profile {@code proofs} does on each Boot line. */
    private static final boolean EVERY_SETTING = Boolean.getBoolean("http.every.setting");

    /** How requests wait. */
    public enum Waiting {
        /** Nothing collapses: what this gives is right. */
        OFF(0),
        /** The default, with batches that start when the one before has ended: a request may also wait to run its handler. */
        AUTO(2),
        /** Every request keeps its thread; it may join a run in flight. */
        BLOCK(1),
        /** Every request that waits gives its thread back; it may join a run in flight. */
        ASYNC(1);

        // immutable
        private final int runs;

        Waiting(int runs) {
            this.runs = runs;
        }

        private Map<String, String> properties() {
            return switch (this) {
                case OFF -> Map.of("collapse.executor.servlet.enabled", "false");
                case AUTO -> Map.of("collapse.executor.join", "fresh", "collapse.executor.max-concurrent-batches", "1");
                case BLOCK -> Map.of("collapse.executor.join", "in-flight", WAITING, "block");
                case ASYNC -> Map.of("collapse.executor.join", "in-flight", WAITING, "async");
            };
        }
    }

    /** The settings of all servers, those of {@link Waiting#ASYNC} only for filters that support it. */
    static Stream<ZooSetting> all(boolean supportsAsync) {
        return Stream.of(ZooServer.values())
                .filter(ServersOfThisLine::include)
                .flatMap(server -> Stream.of(Waiting.values()).map(waiting -> new ZooSetting(server, waiting)))
                // The right answers without collapsing are shown once, and on every server in the long form.
                .filter(setting -> EVERY_SETTING || setting.collapses() || setting.server == ZooServer.TOMCAT)
                .filter(setting -> supportsAsync
                        ? EVERY_SETTING
                                || setting.waiting
                                        != Waiting.BLOCK // correct behind every filter that does not support more
                        : setting.waiting != Waiting.ASYNC);
    }

    /** Who may share with whom. */
    enum Policy {
        /** Requests that show nobody and are equal in everything. */
        DEFAULT,
        /** Requests of the same user, who is named by the listed credentials. */
        EACH_USER,
        /** Requests of all users who are let in. */
        ALL_USERS
    }

    /** What an application with this setting configures. */
    Map<String, Object> properties(Policy policy) {
        Map<String, Object> properties = new LinkedHashMap<>(waiting.properties());
        properties.put("collapse.executor.max-wait", "10m");
        properties.put("collapse.executor.servlet.collapse-groups[0].uris", "/**");
        if (policy != Policy.DEFAULT) {
            String shared = "collapse.executor.servlet.collapse-policies.shared";
            properties.put("collapse.executor.servlet.collapse-groups[0].collapse-policy-name", "shared");
            properties.put(shared + ".strict", "true");
            properties.put(shared + ".share-across-users", "true");
            if (policy == Policy.EACH_USER) {
                properties.put(shared + ".collapse-request-headers", "Authorization,Cookie");
            }
        }
        return Collections.unmodifiableMap(properties);
    }

    /**
     * How often the handler runs for requests that arrive while its first run is held: once for each group in which requests may
     * join a run in flight, and twice where they may not, because those that wait share a second run.
     *
     * @param groups how many requests may share a run, for each such group
     */
    public int runs(List<Integer> groups) {
        return groups.stream()
                .mapToInt(size -> waiting == Waiting.OFF ? size : Math.min(size, waiting.runs))
                .sum();
    }

    /** How many of the requests that wait for another give their thread back; the one that opens the next batch does not. */
    public int parked(int waitingRequests, boolean supportsAsync) {
        return switch (waiting) {
            case ASYNC -> waitingRequests;
            case AUTO -> supportsAsync ? waitingRequests - 1 : 0;
            case OFF, BLOCK -> 0;
        };
    }

    /** Whether anything collapses. */
    public boolean collapses() {
        return waiting != Waiting.OFF;
    }

    @Override
    public String toString() {
        return server + " " + waiting;
    }
}

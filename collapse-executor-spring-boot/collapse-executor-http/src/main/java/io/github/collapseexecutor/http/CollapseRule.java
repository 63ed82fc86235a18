package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.InvalidOptionException;
import io.github.collapseexecutor.core.JoinMode;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The paths to which one policy applies.
 *
 * <pre>{@code
 * CollapseRule rule = CollapseRule.of(CollapsePolicy.strict(), "/user/*", "/test/noop*");
 * }</pre>
 *
 * <p>Requests that one rule matches do not thereby share a call: they still need equal keys. In the YAML a rule is one of the
 * {@code collapse-groups}. Immutable.
 */
public final class CollapseRule {

    // immutable
    private final CollapsePolicy policy;
    private final List<UriPattern> patterns;
    private final boolean amongInstances;
    private final @Nullable DryRun dryRun;
    private final @Nullable JoinMode joinMode;

    private CollapseRule(
            CollapsePolicy policy,
            List<UriPattern> patterns,
            boolean amongInstances,
            @Nullable DryRun dryRun,
            @Nullable JoinMode joinMode) {
        this.policy = policy;
        this.patterns = patterns;
        this.amongInstances = amongInstances;
        this.dryRun = dryRun;
        this.joinMode = joinMode;
    }

    /**
     * Creates a rule.
     *
     * @param policy what its requests must have in common to share a call
     * @param patterns which paths it matches; at least one
     * @return the rule
     * @throws InvalidOptionException if there is no pattern
     */
    public static CollapseRule of(CollapsePolicy policy, Collection<UriPattern> patterns) {
        if (patterns.isEmpty()) {
            throw new InvalidOptionException("patterns", patterns, "a rule needs at least one URI pattern");
        }
        return new CollapseRule(Objects.requireNonNull(policy, "policy"), List.copyOf(patterns), true, null, null);
    }

    /**
     * Creates a rule.
     *
     * @param policy what its requests must have in common to share a call
     * @param patterns which paths it matches, each as {@link UriPattern#parse(String)} reads it; at least one
     * @return the rule
     * @throws IllegalArgumentException if there is no pattern, or one that cannot be parsed
     */
    public static CollapseRule of(CollapsePolicy policy, String... patterns) {
        return of(policy, Arrays.stream(patterns).map(UriPattern::parse).toList());
    }

    /** {@return the rule's policy} */
    public CollapsePolicy policy() {
        return policy;
    }

    /** {@return the rule's patterns, not empty, unmodifiable} */
    public List<UriPattern> patterns() {
        return patterns;
    }

    /**
     * Returns a rule whose requests are sent as calls of their own, while it is found out what would have been shared.
     *
     * @param findings what counts and compares
     * @return a rule with the same policy and patterns
     */
    public CollapseRule inDryRun(DryRun findings) {
        return new CollapseRule(
                policy, patterns, amongInstances, Objects.requireNonNull(findings, "findings"), joinMode);
    }

    /**
     * {@return a rule with the same policy and patterns whose requests share responses within this instance only, where others of the adapter share
     * with {@linkplain HttpCollapseOptions.Builder#otherInstances other instances}}
     */
    public CollapseRule withinInstance() {
        return new CollapseRule(policy, patterns, false, dryRun, joinMode);
    }

    /**
     * Returns a rule with a join mode of its own, whatever that of the adapter is.
     *
     * <p>An adapter gathers the requests of its {@link JoinMode#FRESH} and of its {@link JoinMode#IN_FLIGHT} rules apart:
     * {@link CollapseOptions#maxPending()} and {@link CollapseOptions#maxConcurrentBatchesTotal()} hold for each of the two.
     *
     * @param mode whether a request may join a call that is already running
     * @return a rule with the same policy and patterns
     */
    public CollapseRule joining(JoinMode mode) {
        return new CollapseRule(policy, patterns, amongInstances, dryRun, Objects.requireNonNull(mode, "mode"));
    }

    /** {@return the rule's own join mode, or null (the default) if {@link CollapseOptions#joinMode()} of the adapter decides} */
    public @Nullable JoinMode joinMode() {
        return joinMode;
    }

    /** {@return whether requests of this rule share with other instances where the adapter does; true unless it was switched off} */
    public boolean isAmongInstances() {
        return amongInstances;
    }

    /** {@return what counts and compares in place of sharing, or null (the default) if requests of this rule do share calls} */
    public @Nullable DryRun dryRun() {
        return dryRun;
    }

    @Override
    public String toString() {
        return "CollapseRule[" + policy.name() + ", " + patterns + (dryRun == null ? "" : ", dry run") + "]";
    }
}

package io.github.collapseexecutor.http;

import java.util.Objects;

/**
 * Finds out what a group would do, without doing it: each request makes its own call and gets its own response, and what would
 * have been shared is counted and, by a sample, compared.
 *
 * <pre>{@code
 * DryRun dryRun = new DryRun("users");
 * CollapseRule rule = CollapseRule.of(policy, "/user/*").inDryRun(dryRun);
 * // a day later
 * DryRunReport report = dryRun.report();
 * }</pre>
 *
 * <p>Requests are gathered as they would be, by the same rules and options, but nobody waits. Of the pairs that would have
 * shared a response, the first {@value #ALL_COMPARED} are compared, then about one in {@value #SAMPLE}. Bodies are not kept: a
 * digest is computed as they pass by. A difference is logged as a warning, at the 1st, 10th, 100th and so on, with names and
 * without values.
 *
 * <p>Memory is bounded, whatever the clients send. Safe for use by any number of threads; no method waits for more than a few
 * counters.
 */
public final class DryRun {

    static final int ALL_COMPARED = 1000;
    static final int SAMPLE = 16;

    // immutable
    final DryRunFindings findings;
    private final String name;

    /**
     * Creates a dry run that has found nothing.
     *
     * @param name how the log calls it, for example by its group
     */
    public DryRun(String name) {
        this.name = Objects.requireNonNull(name, "name");
        this.findings = new DryRunFindings(name);
    }

    /** {@return what it has found so far; a copy, which does not change} */
    public DryRunReport report() {
        return findings.report();
    }

    /** Names the group, shows no numbers. */
    @Override
    public String toString() {
        return "DryRun[" + name + "]";
    }
}

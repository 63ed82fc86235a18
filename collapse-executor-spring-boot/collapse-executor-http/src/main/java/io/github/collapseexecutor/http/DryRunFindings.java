package io.github.collapseexecutor.http;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a {@link DryRun} has found: counted by the calls of its group, read by the application.
 * Public for other packages of the library only.
 */
public final class DryRunFindings {

    private static final System.Logger LOGGER = System.getLogger(DryRun.class.getName());

    /** Names of headers and parameters come from clients; of too many, the later ones are not counted. */
    private static final int MOST_NAMES = 256;

    private static final int MOST_EXPLANATIONS = 3;

    /** Requests of one key that arrive within about a second are sampled alike. */
    private static final int WINDOW_BITS = 30;

    // immutable
    private final String name;

    // mutable, guarded by this; nobody waits while holding the monitor
    private final Map<Reason, Long> notShared = new EnumMap<>(Reason.class);
    private final Map<String, Long> parts = new TreeMap<>();
    private final Map<String, Long> inDifferent = new TreeMap<>();
    private final Map<String, Long> inSame = new TreeMap<>();
    private long requests;
    private long shared;
    private long refused;
    private long compared;
    private long different;
    private long unexplained;

    DryRunFindings(String name) {
        this.name = name;
    }

    /**
     * Returns what counts for a group.
     *
     * @param dryRun the group's
     * @return the findings, which go on changing
     */
    public static DryRunFindings of(DryRun dryRun) {
        return dryRun.findings;
    }

    synchronized DryRunReport report() {
        return new DryRunReport(
                requests,
                shared,
                Map.copyOf(notShared),
                refused,
                compared,
                different,
                unexplained,
                Map.copyOf(parts),
                explanations());
    }

    /**
     * Tells whether the response to a request is to be compared if another request would have got it.
     *
     * @param keyHash of the request's key
     * @param arrivedAt when it arrived, in nanoseconds
     * @return true for a sample
     */
    public synchronized boolean samples(int keyHash, long arrivedAt) {
        if (compared < DryRun.ALL_COMPARED) {
            return true;
        }
        long window = arrivedAt >>> WINDOW_BITS;
        return Math.floorMod(31 * keyHash + Long.hashCode(window), DryRun.SAMPLE) == 0;
    }

    /** A request has been gathered. */
    public synchronized void arrived() {
        requests++;
    }

    /** It would have shared a response. */
    public synchronized void shared() {
        shared++;
    }

    /** It would have been refused, because too many wait. */
    public synchronized void refused() {
        refused++;
    }

    /**
     * It would not have shared a response.
     *
     * @param reason why
     */
    public synchronized void notShared(Reason reason) {
        notShared.merge(reason, 1L, Long::sum);
    }

    /**
     * Two responses have been compared.
     *
     * @param differingParts in what they differ; empty if they are equal
     * @param differingNames in what their requests differ
     */
    public void compared(List<String> differingParts, Set<String> differingNames) {
        String found = null;
        synchronized (this) {
            compared++;
            boolean same = differingParts.isEmpty();
            if (!same) {
                different++;
                unexplained += differingNames.isEmpty() ? 1 : 0;
                differingParts.forEach(part -> count(part, parts));
            }
            differingNames.forEach(differing -> count(differing, same ? inSame : inDifferent));
            if (!same && isPowerOfTen(different)) {
                found = described();
            }
        }
        if (found != null) {
            LOGGER.log(System.Logger.Level.WARNING, found);
        }
    }

    private static void count(String counted, Map<String, Long> counts) {
        if (counts.size() < MOST_NAMES || counts.containsKey(counted)) {
            counts.merge(counted, 1L, Long::sum);
        }
    }

    private static boolean isPowerOfTen(long number) {
        long rest = number;
        while (rest % 10 == 0) {
            rest /= 10;
        }
        return rest == 1;
    }

    private String described() {
        List<DryRunReport.Explanation> best = explanations();
        String why;
        if (best.isEmpty()) {
            why = "their requests do not differ, so that the response changes by itself";
        } else {
            DryRunReport.Explanation first = best.get(0);
            why = "best explained by " + first.name() + ", in which the requests of " + first.different()
                    + " of them differ, and of " + first.same() + " of the " + (compared - different)
                    + " pairs with equal responses";
        }
        return "Dry run of " + name + ": " + different + " of " + compared
                + " compared pairs of requests would have shared a response that is wrong for one of them. They differ in "
                + String.join(", ", parts.keySet()) + "; " + why + ".";
    }

    /** The names by which one can best tell the pairs that differ from those that do not. */
    private List<DryRunReport.Explanation> explanations() {
        return inDifferent.entrySet().stream()
                .map(entry -> new DryRunReport.Explanation(
                        entry.getKey(), entry.getValue(), inSame.getOrDefault(entry.getKey(), 0L)))
                .sorted(Comparator.comparingDouble(this::score)
                        .reversed()
                        .thenComparing(DryRunReport.Explanation::name))
                .limit(MOST_EXPLANATIONS)
                .toList();
    }

    /** How well a name tells the pairs apart, from 0 to 1: the harmonic mean of precision and recall. */
    private double score(DryRunReport.Explanation candidate) {
        return 2.0 * candidate.different() / (candidate.different() + candidate.same() + different);
    }
}

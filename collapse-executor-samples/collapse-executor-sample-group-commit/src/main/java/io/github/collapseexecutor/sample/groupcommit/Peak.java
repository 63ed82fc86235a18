package io.github.collapseexecutor.sample.groupcommit;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The most orders a second of a ramp, as a mean of several seconds, so that one second by chance does not count.
 *
 * @param index the sample in the middle of these seconds
 * @param users the mean number of users in them
 * @param perSecond the mean of the answers a second in them
 * @param enoughUsers the mean number of users in the first seconds that reach 95 % of that
 */
record Peak(int index, double users, double perSecond, double enoughUsers) {

    /** How many seconds a mean is taken over; of all where there are fewer. */
    static final int SECONDS = 5;

    private static final double ENOUGH = 0.95;

    /** A mean of some seconds. */
    private record Mean(int index, double users, double perSecond) {}

    static Peak of(List<RampSample> samples) {
        int seconds = Math.min(SECONDS, samples.size());
        List<Mean> means = IntStream.rangeClosed(0, samples.size() - seconds)
                .mapToObj(first -> mean(first + seconds / 2, samples.subList(first, first + seconds)))
                .toList();
        Mean highest = means.get(0);
        for (Mean mean : means) {
            if (mean.perSecond > highest.perSecond) {
                highest = mean;
            }
        }
        double enough = ENOUGH * highest.perSecond;
        Mean first = means.stream()
                .filter(mean -> mean.perSecond >= enough)
                .findFirst()
                .orElse(highest);
        return new Peak(highest.index, highest.users, highest.perSecond, first.users);
    }

    private static Mean mean(int middle, List<RampSample> samples) {
        return new Mean(
                middle,
                samples.stream().mapToInt(RampSample::users).average().orElseThrow(),
                samples.stream().mapToDouble(RampSample::perSecond).average().orElseThrow());
    }
}

package io.github.collapseexecutor.spring.annotation.lab;

import io.github.collapseexecutor.core.UnboundOutputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What came of a call, without what differs each time.
 *
 * @param text the answer or the failure
 * @param written the version of the data when it was asked for
 * @param read the smallest version that the answer shows; the one that was written if it shows none
 */
record MethodOutcome(String text, long written, long read) {

    static final String MISSING = "an item has no answer";

    private static final Pattern VERSION = Pattern.compile("@(\\d+)");

    /** What throws as it likes. */
    interface Asking {
        @Nullable Object ask() throws Throwable;
    }

    static MethodOutcome of(Asking asking, long written) {
        String text;
        try {
            text = String.valueOf(asking.ask());
        } catch (UnboundOutputException missing) {
            text = MISSING;
        } catch (Throwable failure) {
            text = "fails: " + failure + " by " + failure.getCause();
        }
        Matcher versions = VERSION.matcher(text);
        long read = versions.results()
                .mapToLong(version -> Long.parseLong(version.group(1)))
                .min()
                .orElse(written);
        return new MethodOutcome(VERSION.matcher(text).replaceAll(""), written, read);
    }

    boolean isStale() {
        return read < written;
    }
}

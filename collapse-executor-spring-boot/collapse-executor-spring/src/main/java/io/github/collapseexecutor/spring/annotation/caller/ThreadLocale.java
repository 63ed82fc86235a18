package io.github.collapseexecutor.spring.annotation.caller;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.context.i18n.SimpleTimeZoneAwareLocaleContext;

/** The language and the time zone of a thread, in which Spring finds messages and formats: those of its request, or of the JVM. */
final class ThreadLocale implements CallerThread {

    // immutable
    private final @Nullable LocaleContext found;
    /** Taken at once, because the thread's own may ask a request that has ended. */
    private final @Nullable LocaleContext taken;

    private final CallerThread other;

    /**
     * Takes those of this thread.
     *
     * @param other runs the call in them
     */
    ThreadLocale(CallerThread other) {
        this.found = LocaleContextHolder.getLocaleContext();
        this.taken = found == null ? null : taken(found);
        this.other = other;
    }

    private static LocaleContext taken(LocaleContext found) {
        try {
            return new SimpleTimeZoneAwareLocaleContext(
                    LocaleContextHolder.getLocale(found), LocaleContextHolder.getTimeZone(found));
        } catch (RuntimeException gone) {
            return found; // so that a method that asks fails as it does on the caller's thread
        }
    }

    /**
     * Returns what tells this thread's language and time zone from those of others; with equals. Where they cannot be had, because the
     * request has ended, they are like no others.
     */
    static Object current() {
        try {
            return List.of(
                    LocaleContextHolder.getLocale(),
                    LocaleContextHolder.getTimeZone().getID());
        } catch (RuntimeException gone) {
            return new Object();
        }
    }

    @Override
    public <T extends @Nullable Object> T run(Callable<T> call) throws Exception {
        LocaleContext before = LocaleContextHolder.getLocaleContext();
        if (before == found) {
            return other.run(call);
        }
        LocaleContextHolder.setLocaleContext(taken);
        try {
            return other.run(call);
        } finally {
            LocaleContextHolder.setLocaleContext(before);
        }
    }
}

package io.github.collapseexecutor.spring.annotation.lab;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.spring.annotation.InvalidCollapsingException;
import io.github.collapseexecutor.spring.annotation.lab.MethodBackend.Sight;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Aspect;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Entry;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/** Drives set-ups with collapsing and without, and tells them apart. */
public final class MethodLab implements AutoCloseable {

    private static final long PAUSE_NANOS = 300_000;
    private static final long LONG_PAUSE_NANOS = 20_000_000;
    private static final int BURST = 6;
    private static final int BURSTS = 20;

    // immutable
    private final ExecutorService callers = Executors.newCachedThreadPool(MethodLab::daemon);
    private final ExecutorService pool = Executors.newCachedThreadPool(MethodLab::daemon);
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.collapseexecutor");

    // mutable, thread-safe
    private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger explained = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger executions = new AtomicInteger();
    private final AtomicInteger plainExecutions = new AtomicInteger();
    private final Appender<ILoggingEvent> listening = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent said) {
            warnings.add(said.getFormattedMessage());
        }
    };

    public MethodLab() {
        listening.start();
        logger.addAppender(listening);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "lab");
        thread.setDaemon(true);
        return thread;
    }

    /** An aspect of the application's own that keeps a user out. */
    public static MethodInterceptor guard() {
        return invocation -> {
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            if (user != null && user.getName().equals("eve")) {
                throw new IllegalStateException("eve is kept out");
            }
            return invocation.proceed();
        };
    }

    /** Drives a set-up; returns what differs. */
    List<String> differences(MethodSetup setup, Class<?> type) throws Exception {
        List<String> differences = new ArrayList<>();
        List<List<MethodOutcome>> plain = new ArrayList<>();
        try (MethodApplication application = new MethodApplication(setup, type, false, pool)) {
            for (List<MethodCall> caller : setup.callers()) {
                plain.add(callers.submit(() -> asked(application, caller)).get(60, TimeUnit.SECONDS));
            }
            plainExecutions.addAndGet(application.backend().executions());
        }
        warnings.clear();
        try (MethodApplication application = new MethodApplication(setup, type, true, pool)) {
            if (setup.isRefused()) {
                return List.of("it starts, and should be refused");
            }
            application.backend().pause(PAUSE_NANOS);
            compare(setup, plain, collapsed(setup, application), differences);
            executions.addAndGet(application.backend().executions());
            differences.addAll(silence(setup, application));
        } catch (RuntimeException | AssertionError failure) {
            InvalidCollapsingException refusal = refusal(failure);
            if (refusal == null || !setup.isRefused()) {
                return List.of("it does not start: " + (refusal == null ? failure : refusal.getMessage()));
            }
            refused.incrementAndGet();
        }
        return differences;
    }

    private static @Nullable InvalidCollapsingException refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidCollapsingException refusal) {
                return refusal;
            }
        }
        return null;
    }

    private static List<MethodOutcome> asked(MethodApplication application, List<MethodCall> calls) {
        return calls.stream().map(application::ask).toList();
    }

    private List<List<MethodOutcome>> collapsed(MethodSetup setup, MethodApplication application) throws Exception {
        int rounds = setup.callers().get(0).size();
        CyclicBarrier together = new CyclicBarrier(setup.callers().size());
        List<Future<List<MethodOutcome>>> asked = new ArrayList<>();
        for (List<MethodCall> caller : setup.callers()) {
            asked.add(callers.submit(() -> {
                List<MethodOutcome> outcomes = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    together.await(60, TimeUnit.SECONDS);
                    outcomes.add(application.ask(caller.get(round)));
                }
                return outcomes;
            }));
        }
        List<List<MethodOutcome>> outcomes = new ArrayList<>();
        for (Future<List<MethodOutcome>> each : asked) {
            outcomes.add(each.get(120, TimeUnit.SECONDS));
        }
        return outcomes;
    }

    private void compare(
            MethodSetup setup,
            List<List<MethodOutcome>> plain,
            List<List<MethodOutcome>> collapsed,
            List<String> differences) {
        for (int caller = 0; caller < plain.size(); caller++) {
            for (int round = 0; round < plain.get(caller).size(); round++) {
                calls.incrementAndGet();
                MethodCall call = setup.callers().get(caller).get(round);
                MethodOutcome expected = plain.get(caller).get(round);
                MethodOutcome actual = collapsed.get(caller).get(round);
                if (isExplained(setup, actual)) {
                    explained.incrementAndGet();
                } else if (!actual.text().equals(expected.text()) && !isMissing(setup, expected, actual)) {
                    differences.add(call + "\n  alone:    " + expected.text() + "\n  together: " + actual.text());
                } else if (actual.isStale() && setup.join() == JoinMode.FRESH && !setup.has(Aspect.CACHE)) {
                    differences.add(call + "\n  does not see its own write " + actual.written() + ": " + actual);
                }
            }
        }
    }

    /**
     * What the pages say. A call that is handed over later runs on whichever thread is free, which has another tenant. Nobody gets the {@code
     * InterruptedException} of another caller's thread.
     */
    private static boolean isExplained(MethodSetup setup, MethodOutcome actual) {
        boolean otherTenant = setup.identity()
                && !setup.wrapper().isPlain()
                && actual.text().contains("was not called, because it would run on the thread");
        boolean interrupted = setup.wrapper().isPlain()
                && actual.text().contains("was interrupted by java.lang.InterruptedException: interrupted");
        return otherTenant || interrupted;
    }

    private static boolean isMissing(MethodSetup setup, MethodOutcome expected, MethodOutcome actual) {
        return setup.missingFails()
                && actual.text().equals(MethodOutcome.MISSING)
                && (expected.text().equals("null") || expected.text().equals("Optional.empty"));
    }

    /** Says that equal calls at the same time share nothing, although nothing has been said of that. */
    private List<String> silence(MethodSetup setup, MethodApplication application) throws Exception {
        MethodCall call = new MethodCall("ann", "de", "UTC", "north", false, 1, "x");
        Callable<MethodOutcome> ask = () -> application.ask(call);
        boolean startsAtOnce =
                setup.kind() == Kind.MANY; // the items of one call are a batch that may be worth its start
        if (startsAtOnce
                || setup.has(Aspect.CACHE)
                || application.ask(call).text().startsWith("fails")) {
            return List.of();
        }
        if (setup.sights().contains(Sight.SCOPED)) {
            return warnings.stream().anyMatch(said -> said.contains("scope"))
                    ? List.of()
                    : List.of("nothing says that the scoped bean keeps callers apart");
        }
        if (setup.wrapper().isMono() && setup.entry() == Entry.OBJECT && !setup.acrossUsers()) {
            MethodOutcome unused = application.ask(call);
            return warnings.stream().anyMatch(said -> said.contains("has no equals"))
                    ? List.of()
                    : List.of("nothing says that the object in the context keeps callers apart");
        }
        application.backend().pause(LONG_PAUSE_NANOS);
        int attempts = setup.isUnreliable() ? 2 : 1;
        for (int i = 0; i < BURSTS; i++) {
            if (application.executionsOf(Collections.nCopies(BURST, ask), callers) < BURST * attempts) {
                return List.of();
            }
        }
        return List.of("equal calls share nothing, and nothing says why; said: " + warnings);
    }

    int refused() {
        return refused.get();
    }

    int calls() {
        return calls.get();
    }

    int executions() {
        return executions.get();
    }

    int plainExecutions() {
        return plainExecutions.get();
    }

    int explained() {
        return explained.get();
    }

    @Override
    public void close() {
        logger.detachAppender(listening);
        callers.shutdownNow();
        pool.shutdownNow();
    }
}

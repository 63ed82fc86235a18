package io.github.collapseexecutor.mutations;

import java.util.Arrays;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs test classes in a JVM of their own, until a test fails, and says by its exit status whether one did. */
final class MutantTests implements TestExecutionListener {

    static final int PASSED = 0;
    static final int FAILED = 10;
    private static final int NO_TEST = 20;

    /** With some breaks, callers wait for ever. */
    private static final String TIME_OUT = "15 s";

    private MutantTests() {}

    /** Takes the names of the classes below {@code io.github.collapseexecutor}. */
    public static void main(String[] names) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(names)
                        .map(name -> DiscoverySelectors.selectClass("io.github.collapseexecutor." + name))
                        .toArray(DiscoverySelector[]::new))
                .configurationParameter("junit.jupiter.execution.timeout.testable.method.default", TIME_OUT)
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary, new MutantTests());
        end(summary.getSummary().getTestsSucceededCount() > 0 ? PASSED : NO_TEST);
    }

    /** Servers that a test has started would outlive a JVM that ends at once. */
    private static void end(int status) {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(status);
    }

    /** The first failure is enough. Threads of the tests may wait for ever, so that the JVM would not end by itself. */
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            System.out.println(test.getUniqueId() + ": " + result.getThrowable());
            System.out.flush();
            end(FAILED);
        }
    }
}

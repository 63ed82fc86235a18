package io.github.collapseexecutor.sample.springboot;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * What callers do, in two ways.
 *
 * @param name what the table calls it
 * @param callers how many there are, and how often each asks
 * @param plain how they ask without collapsing
 * @param collapsing how they ask with it
 * @param backendCalls how often the backend has done what they ask for, since it was started
 */
record Scenario(
        String name, Callers callers, Callers.Question plain, Callers.Question collapsing, LongSupplier backendCalls) {

    /** Measures both ways, first without and then with collapsing. */
    List<Measurement> measure() throws Exception {
        return List.of(measure(plain, false), measure(collapsing, true));
    }

    private Measurement measure(Callers.Question question, boolean collapses) throws Exception {
        long before = backendCalls.getAsLong();
        Callers.Answers answers = callers.ask(question);
        return new Measurement(
                name,
                collapses,
                callers.count(),
                answers.count(),
                backendCalls.getAsLong() - before,
                answers.percentile(50),
                answers.percentile(99),
                answers.wrong());
    }
}

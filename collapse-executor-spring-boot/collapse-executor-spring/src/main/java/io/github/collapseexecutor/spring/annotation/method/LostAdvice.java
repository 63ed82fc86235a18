package io.github.collapseexecutor.spring.annotation.method;

import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Warns of advice that is lost where calls become calls of a batch method: a transaction, for example, that the annotated method begins and
 * the batch method does not.
 */
final class LostAdvice {

    private static final Log logger = LogFactory.getLog(LostAdvice.class);

    private LostAdvice() {}

    /**
     * Says which advice a batch runs without.
     *
     * @param lost the classes of the advice
     */
    static void warnOf(AnnotatedMethod method, AnnotatedMethod batch, List<String> lost) {
        if (!lost.isEmpty()) {
            logger.warn(method + " has advice that its batch method "
                    + AnnotatedMethod.described(batch.owner(), batch.method())
                    + " does not have, so that its collapsed calls run without it: " + String.join(", ", lost)
                    + ". Annotate the batch method, too: with @Transactional, @Async or @Retryable, for example.");
        }
    }
}

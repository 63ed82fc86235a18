package io.github.collapseexecutor.spring.boot.report;

import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.config.EnumWord;
import java.net.URI;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Says at DEBUG why a request of a group was not collapsed, or why a response was for its leader only. The path is shown; the
 * query, which may hold a secret, is not.
 */
public final class ReasonLog implements HttpCollapseListener {

    private static final Log logger = LogFactory.getLog(ReasonLog.class);

    @Override
    public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
        if (rule != null && logger.isDebugEnabled()) {
            logger.debug(method + " " + uri.getRawPath() + " of group " + rule.patterns() + " is not collapsed: "
                    + EnumWord.of(reason));
        }
    }

    @Override
    public void responseNotShared(CollapseRule rule, Reason reason, String method, URI uri) {
        if (logger.isDebugEnabled()) {
            logger.debug("The response to " + method + " " + uri.getRawPath() + " of group " + rule.patterns()
                    + " is not shared: " + EnumWord.of(reason));
        }
    }
}

package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;

/** The limits of Tomcat. */
enum TomcatLimits implements LabLimit {
    /** Tomcat rarely forgets a handler that begins to write without blocking on a thread of its own. A control run shows it as often. */
    TOMCAT_MAY_NOT_ANSWER_A_HANDLER_THAT_WRITES_WITHOUT_BLOCKING {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.handler().kind() == LabHandler.Kind.NON_BLOCKING
                    && collapsed.framing().startsWith("no response in ");
        }
    }
}

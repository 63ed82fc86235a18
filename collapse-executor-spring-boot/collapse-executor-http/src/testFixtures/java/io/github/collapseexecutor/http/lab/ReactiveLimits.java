package io.github.collapseexecutor.http.lab;

import static io.github.collapseexecutor.http.lab.Replies.NO_RESPONSE;
import static io.github.collapseexecutor.http.lab.Replies.status;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;

/** The limits of reactive servers. */
enum ReactiveLimits implements LabLimit {
    /**
     * Where others may still come, a reactive handler's body is collected before it is sent: one that fails at once is answered with an
     * error in place of a body that breaks off, be it behind no more than what a filter in front has begun it with.
     */
    A_COLLECTED_BODY_THAT_FAILS_IS_AN_ERROR {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean begins = setup.filters().stream().anyMatch(LabFilter.BEGINNING::contains)
                    || setup.handler().steps().stream().anyMatch(LabStep::writes);
            return begins
                    && setup.handler().steps().stream().anyMatch(LabStep::fails)
                    && status(collapsed).compareTo("400") >= 0;
        }
    },
    /** Spring's reactive server keeps the headers about a body that fails, if nobody wants the body; where it is collected, they are cleared. */
    A_FAILED_BODY_FOR_A_HEAD_REQUEST_HAS_NO_HEADERS {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.handler().steps().stream().anyMatch(LabStep::fails)
                    && plain.framing().equals("no body")
                    && withoutContent(plain).equals(withoutContent(collapsed));
        }

        private static String withoutContent(RawReply reply) {
            return reply.head()
                    .replaceAll("(?im)^(content|transfer)-.*$\\n?", "")
                    .strip();
        }
    },
    /**
     * Below Spring's reactive adapter, Tomcat answers a body that fails at once with an error, or with a beginning that breaks off, or rarely
     * ends, with collapsing or without: its threads decide whether the beginning is sent before the failure is seen. Behind one that breaks off, the
     * connection has no response for the next request.
     */
    TOMCAT_ANSWERS_A_BODY_THAT_FAILS_IN_TWO_WAYS {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.REACTIVE_TOMCAT
                    && setup.handler().steps().stream().anyMatch(LabStep::writesMuch)
                    && setup.handler().steps().stream().anyMatch(LabStep::fails)
                    && (status(plain).compareTo("400") >= 0 || plain.framing().equals(NO_RESPONSE))
                    && collapsed.framing().startsWith("chunked");
        }
    },
    /**
     * Below Spring's reactive adapter, Tomcat breaks off the response of one client when another leaves, with collapsing or without: a run of the
     * plain application against itself shows it as often.
     */
    TOMCAT_BREAKS_A_RESPONSE_WHEN_ANOTHER_CLIENT_LEAVES {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.REACTIVE_TOMCAT
                    && setup.callers().stream().flatMap(List::stream).anyMatch(LabCall::leaves)
                    && (collapsed.framing().contains("cut off")
                            || collapsed.framing().equals(NO_RESPONSE));
        }
    };
}

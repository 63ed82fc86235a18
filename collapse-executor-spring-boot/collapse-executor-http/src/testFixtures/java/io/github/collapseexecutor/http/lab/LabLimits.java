package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The documented limits, by name: a difference that one of them explains is none. */
enum LabLimits {
    /** How much of a body arrives before it breaks off is a matter of time. */
    A_BROKEN_BODY_HAS_ANY_LENGTH {
        @Override
        boolean explains(String make, LabSetup setup, RawReply plain, RawReply collapsed) {
            return plain.framing().contains("cut off")
                    && plain.framing().equals(collapsed.framing())
                    && plain.head().equals(collapsed.head());
        }
    },
    /** A policy that strips cookies keeps those of the handler for its own client. */
    STRIPPED_COOKIES_ARE_THE_LEADERS {
        @Override
        boolean explains(String make, LabSetup setup, RawReply plain, RawReply collapsed) {
            return setup.policy() == LabPolicy.STRIPPED
                    && withoutOwnCookie(plain).equals(withoutOwnCookie(collapsed));
        }

        /** Jetty says with a cookie that the response expires. */
        private static RawReply withoutOwnCookie(RawReply reply) {
            String head = reply.head()
                    .replaceAll("(?m)^(Set-Cookie: own=.*|set-cookie: own=.*|Expires: Thu, 01 Jan 1970.*)\\n?", "")
                    .strip();
            return new RawReply(head, reply.body(), reply.framing(), List.of());
        }
    },
    /**
     * Where others may still come, a reactive handler's body is collected before it is sent: one that fails at once is answered with an
     * error in place of a body that breaks off.
     */
    A_COLLECTED_BODY_THAT_FAILS_IS_AN_ERROR {
        @Override
        boolean explains(String make, LabSetup setup, RawReply plain, RawReply collapsed) {
            return make.startsWith("REACTIVE")
                    && setup.handler().steps().stream().anyMatch(LabStep::writes)
                    && setup.handler().steps().stream().anyMatch(LabStep::fails)
                    && status(collapsed).compareTo("400") >= 0;
        }
    },
    /** Spring's reactive server keeps the headers about a body that fails, if nobody wants the body; where it is collected, they are cleared. */
    A_FAILED_BODY_FOR_A_HEAD_REQUEST_HAS_NO_HEADERS {
        @Override
        boolean explains(String make, LabSetup setup, RawReply plain, RawReply collapsed) {
            return make.startsWith("REACTIVE")
                    && setup.handler().steps().stream().anyMatch(LabStep::fails)
                    && plain.framing().equals("no body")
                    && withoutContent(plain).equals(withoutContent(collapsed));
        }

        private static String withoutContent(RawReply reply) {
            return reply.head()
                    .replaceAll("(?im)^(content|transfer)-.*$\\n?", "")
                    .strip();
        }
    },
    /** Undertow lets a handler clear what it has written behind a flush, if nothing of it has been sent. */
    UNDERTOW_CLEARS_BEHIND_A_FLUSH {
        @Override
        boolean explains(String make, LabSetup setup, RawReply plain, RawReply collapsed) {
            return make.equals("UNDERTOW")
                    && setup.handler().steps().stream().anyMatch(LabStep::flushes)
                    && setup.handler().steps().stream().anyMatch(LabStep::clears);
        }
    },
    /** Undertow itself answers a client whose request has been dispatched with an error page of its own, or without a body. */
    UNDERTOW_MAKES_OTHER_ERROR_PAGES_IN_DISPATCHES {
        @Override
        boolean explains(String make, LabSetup setup, RawReply plain, RawReply collapsed) {
            return make.equals("UNDERTOW")
                    && setup.parks()
                    && status(plain).equals("500")
                    && status(collapsed).equals("500");
        }
    };

    private static final Pattern STATUS_LINE = Pattern.compile("(?m)^HTTP/\\S+ (\\d+)");

    abstract boolean explains(String make, LabSetup setup, RawReply plain, RawReply collapsed);

    static boolean explain(String make, LabSetup setup, RawReply plain, RawReply collapsed) {
        for (LabLimits limit : values()) {
            if (limit.explains(make, setup, plain, collapsed)) {
                return true;
            }
        }
        return false;
    }

    private static String status(RawReply reply) {
        Matcher line = STATUS_LINE.matcher(reply.head());
        return line.find() ? line.group(1) : "";
    }
}

package io.github.collapseexecutor.http.lab;

import static io.github.collapseexecutor.http.lab.Replies.isBegunByFilters;
import static io.github.collapseexecutor.http.lab.Replies.isPartOf;
import static io.github.collapseexecutor.http.lab.Replies.status;
import static io.github.collapseexecutor.http.lab.Replies.withoutLength;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;
import java.util.stream.Stream;

/** The limits of Undertow. */
enum UndertowLimits implements LabLimit {
    /**
     * Undertow does not take a flush before which nothing was written for one: what follows may be cleared, by a handler or by Undertow itself for
     * one that fails, and the size of the buffer may change.
     */
    UNDERTOW_IGNORES_A_FLUSH_OF_NOTHING {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> steps = setup.handler().steps();
            List<LabStep> fromFlush = steps.stream()
                    .dropWhile(step -> !step.flushes() && !step.writes())
                    .toList();
            return !fromFlush.isEmpty()
                    && fromFlush.get(0).flushes()
                    && fromFlush.stream()
                            .anyMatch(step -> step.clears()
                                    || step.fails()
                                    || step.what() == LabStep.What.THROW_CHECKED
                                    || step.what() == LabStep.What.BUFFER_SIZE);
        }
    },
    /** Undertow adds a charset to the type when it refuses a writer behind a stream; with collapsing, it is not asked. */
    UNDERTOW_ADDS_A_CHARSET_WHEN_IT_REFUSES_A_WRITER {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> fromStream = setup.handler().steps().stream()
                    .dropWhile(step -> step.what() != LabStep.What.WRITE_BYTES && step.what() != LabStep.What.CLOSE)
                    .toList();
            return fromStream.stream().anyMatch(LabStep::needsWriter)
                    && withoutType(plain).equals(withoutType(collapsed));
        }

        private static RawReply withoutType(RawReply reply) {
            String head = reply.head().replaceAll("(?im)^content-type:.*\\n", "");
            return new RawReply(head, reply.body(), reply.framing(), List.of());
        }
    },
    /** Undertow does not end a body at a length that is declared behind it, as others do: the head may change. */
    UNDERTOW_ENDS_NO_BODY_AT_A_LENGTH_BEHIND_IT {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> behindBody = setup.handler().steps().stream()
                    .dropWhile(step -> !step.writes())
                    .dropWhile(step -> !step.declaresLength())
                    .toList();
            return behindBody.size() > 1 && behindBody.get(0).number() > 0;
        }
    },
    /** At the end of a forward, Undertow asks for a writer, too: where the type names an unknown charset, it fails through a filter that holds the body. */
    UNDERTOW_ASKS_FOR_A_WRITER_BEHIND_A_FORWARD {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.behind().stream().anyMatch(LabFilter::forwards)
                    && setup.handler().steps().stream().anyMatch(LabStep::setsUnreadableType)
                    && status(plain).equals("500");
        }
    },
    /** Undertow drops what it has not sent when a handler fails behind a flush, as where it refuses to clear the buffer. */
    UNDERTOW_DROPS_WHAT_A_FAILING_HANDLER_HAS_NOT_FLUSHED {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> fromFlush = setup.handler().steps().stream()
                    .dropWhile(step -> !step.flushes())
                    .toList();
            return fromFlush.stream().anyMatch(LabStep::writes)
                    && fromFlush.stream()
                            .anyMatch(
                                    step -> step.clears() || step.fails() || step.what() == LabStep.What.THROW_CHECKED)
                    && plain.head().equals(collapsed.head())
                    && plain.framing().equals(collapsed.framing())
                    && isPartOf(plain, collapsed);
        }
    },
    /** Undertow ignores a flush in an include, and a close, behind which more may be written. */
    UNDERTOW_IGNORES_FLUSHES_AND_CLOSES_IN_AN_INCLUDE {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean flushed = setup.handler().steps().stream().anyMatch(LabStep::flushes)
                    && plain.body().equals(collapsed.body());
            boolean closed = setup.handler().steps().stream().anyMatch(LabStep::endsTheBody);
            return setup.behind().stream().anyMatch(LabFilter::includes)
                    && (flushed || closed)
                    && isPartOf(plain, collapsed);
        }
    },
    /** Undertow ends the body of a forward by a writer, which has a charset, and a flush if the response is wrapped. */
    UNDERTOW_FLUSHES_FORWARDS_OF_WRAPPED_RESPONSES {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.behind().stream().anyMatch(LabFilter::forwards)
                    && plain.body().equals(collapsed.body())
                    && withoutFraming(plain).equals(withoutFraming(collapsed));
        }

        private static String withoutFraming(RawReply reply) {
            return withoutLength(reply)
                    .replaceAll("(?im)^transfer-encoding:.*\\n?", "")
                    .replaceAll("(?im);charset=iso-8859-1$", "")
                    .strip();
        }
    },
    /** Undertow fails a large text that is longer than declared; where it is held, it comes in parts, and is cut. */
    UNDERTOW_FAILS_A_LARGE_BODY_THAT_IS_LONGER_THAN_DECLARED {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> steps = setup.handler().steps();
            return steps.stream().anyMatch(LabStep::declaresLength)
                    && steps.stream().anyMatch(LabStep::writesMuch)
                    && status(plain).equals("500");
        }
    },
    /** Undertow writes an error page past the filters, but to their response if the request has been dispatched. */
    UNDERTOW_WRITES_ERROR_PAGES_THROUGH_FILTERS_IN_DISPATCHES {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.parks()
                    && Stream.of(setup.filters(), setup.behind())
                            .flatMap(List::stream)
                            .anyMatch(LabFilter.BEGINNING::contains)
                    && setup.handler().steps().stream().anyMatch(LabStep::fails)
                    && status(plain).compareTo("400") >= 0
                    && isBegunByFilters(call, "page of ", plain, collapsed);
        }
    },
    /** Undertow rarely sends nothing for an error that an asynchronous handler asks for. A control run shows it as often. */
    UNDERTOW_MAY_NOT_ANSWER_AN_ASYNCHRONOUS_ERROR {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.handler().kind() != LabHandler.Kind.DIRECT
                    && setup.handler().steps().stream().anyMatch(step -> step.what() == LabStep.What.SEND_ERROR)
                    && collapsed.framing().startsWith("no response in ");
        }
    },
    /** Undertow fails when it ends a body that a handler writes without blocking and that is longer than declared: its client may get nothing. */
    UNDERTOW_MAY_NOT_ANSWER_WHAT_IS_LONGER_THAN_DECLARED_WITHOUT_BLOCKING {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.handler().kind() == LabHandler.Kind.NON_BLOCKING
                    && setup.handler().steps().stream().anyMatch(LabStep::declaresLength)
                    && plain.framing().startsWith("no response in ");
        }
    },
    /** Undertow itself answers a client whose request has been dispatched with an error page of its own, or without a body. */
    UNDERTOW_MAKES_OTHER_ERROR_PAGES_IN_DISPATCHES {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.parks()
                    && status(plain).equals("500")
                    && status(collapsed).equals("500");
        }
    };
}

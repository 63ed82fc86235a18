package io.github.collapseexecutor.http.lab;

import static io.github.collapseexecutor.http.lab.Replies.NO_RESPONSE;
import static io.github.collapseexecutor.http.lab.Replies.isPartOf;
import static io.github.collapseexecutor.http.lab.Replies.status;
import static io.github.collapseexecutor.http.lab.Replies.withoutLength;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;

/** The limits of Jetty. */
enum JettyLimits implements LabLimit {
    /** Behind a cleared buffer, Jetty's writer does not write the mark of UTF-16 again, which has been cleared. */
    JETTY_WRITES_NO_MARK_BEHIND_A_CLEARED_BUFFER {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.handler().steps().stream().anyMatch(step -> step.what() == LabStep.What.RESET_BUFFER)
                    && collapsed.body().equals(MARK + plain.body())
                    && withoutLength(plain).equals(withoutLength(collapsed));
        }
    },
    /** Where Jetty has reset the response for a forward, it has no page for a body that is shorter than declared. */
    JETTY_HAS_NO_PAGE_FOR_A_SHORT_BODY_BEHIND_A_FORWARD {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.behind().stream().anyMatch(LabFilter::forwards)
                    && setup.handler().steps().stream().anyMatch(LabStep::declaresLength)
                    && status(plain).equals("500")
                    && status(collapsed).equals("500");
        }
    },
    /**
     * Jetty's writer hands on 1,024 characters at a time, counted from the beginning of each write. Where the buffer is smaller, each goes out as a
     * full buffer and a rest: where that falls, depends on the sizes of the writes, of which a writer that holds a text makes others.
     */
    JETTY_CUTS_TEXTS_THAT_ITS_BUFFER_DOES_NOT_HOLD_BY_THE_SIZES_OF_WRITES {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> fromSize = setup.handler().steps().stream()
                    .dropWhile(step -> step.what() != LabStep.What.BUFFER_SIZE)
                    .toList();
            return fromSize.stream().anyMatch(step -> step.what() == LabStep.What.WRITE_TEXT && step.writesMuch())
                    && plain.chunks().size() > 1
                    && plain.anyChunks().equals(collapsed.anyChunks());
        }
    },
    /**
     * Jetty ends the connection of a handler that writes or fails behind the end of its body, soon enough for the next request or not. One that
     * declares more than it writes fails there, and its error page keeps the address of a redirect or not.
     */
    JETTY_MAKES_AN_END_OF_HANDLERS_THAT_BREAK_THE_BODY {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean ends = setup.handler().steps().stream().anyMatch(LabStep::endsTheBody)
                    && (plain.framing().equals(NO_RESPONSE)
                            || collapsed.framing().equals(NO_RESPONSE));
            return ends;
        }
    },
    /** Jetty cuts a large body that is longer than declared, or fails its handler before anything is sent, by the sizes of its writes. */
    JETTY_CUTS_OR_FAILS_A_LARGE_BODY_THAT_IS_LONGER_THAN_DECLARED {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> steps = setup.handler().steps();
            return steps.stream().anyMatch(LabStep::declaresLength)
                    && steps.stream().anyMatch(LabStep::writesMuch)
                    && plain.framing().equals("cut off")
                    && status(collapsed).equals("500");
        }
    },
    /**
     * Jetty commits a response at a single large write. Of what a filter in front has held, it gets blocks whose sizes depend on those of the
     * handler's writes: an error behind a large body is one, or comes too late.
     */
    JETTY_COMMITS_AT_LARGE_BLOCKS_OF_FILTERS_THAT_HOLD_THE_BODY {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.filters().contains(LabFilter.ETAG)
                    && setup.handler().steps().stream()
                            .dropWhile(step -> !step.writesMuch())
                            .anyMatch(LabStep::fails)
                    && !status(plain).equals(status(collapsed))
                    && (status(plain).equals("200") || status(collapsed).equals("200"));
        }
    },
    /**
     * When a handler fails behind the beginning of a body without a length, Jetty drops what it has not sent: how much that is, depends on the
     * size of what was written to it at a time.
     */
    JETTY_SENDS_MORE_OR_LESS_OF_A_BODY_WHOSE_HANDLER_FAILS {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> steps = setup.handler().steps();
            boolean opensBoth = steps.stream().anyMatch(LabStep::needsWriter)
                    && steps.stream()
                            .anyMatch(step ->
                                    step.what() == LabStep.What.WRITE_BYTES || step.what() == LabStep.What.CLOSE);
            boolean refused = steps.stream()
                    .dropWhile(step -> !step.writesMuch())
                    .anyMatch(step -> step.clears()
                            || step.fails()
                            || step.what() == LabStep.What.BUFFER_SIZE
                            || step.what() == LabStep.What.SESSION
                            || step.what() == LabStep.What.THROW_CHECKED);
            return (refused || (opensBoth && steps.stream().anyMatch(LabStep::writesMuch)))
                    && plain.framing().equals("until the connection ends")
                    && plain.framing().equals(collapsed.framing())
                    && plain.head().equals(collapsed.head())
                    && isPartOf(plain, collapsed);
        }
    };

    /** U+FEFF in UTF-16, each byte as a character. */
    private static final String MARK = "\u00fe\u00ff";
}

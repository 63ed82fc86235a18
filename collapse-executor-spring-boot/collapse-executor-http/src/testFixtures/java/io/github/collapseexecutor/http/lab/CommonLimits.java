package io.github.collapseexecutor.http.lab;

import static io.github.collapseexecutor.http.lab.Replies.bodyMayBreak;
import static io.github.collapseexecutor.http.lab.Replies.isBegunByFilters;
import static io.github.collapseexecutor.http.lab.Replies.isPartOf;
import static io.github.collapseexecutor.http.lab.Replies.isRefusedByJettysClient;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;
import java.util.stream.Stream;

/** The limits of several servers and clients. */
enum CommonLimits implements LabLimit {
    /** How much of a body arrives before it breaks off is a matter of time; of one byte, a caller gets that or the failure. */
    A_BROKEN_BODY_HAS_ANY_LENGTH {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean cutOff =
                    plain.framing().contains("cut off") && plain.framing().equals(collapsed.framing());
            boolean notBegun = call.reading() == LabCall.Reading.BEGINNING
                    && (bodyMayBreak(setup) || isRefusedByJettysClient(plain))
                    && plain.framing().startsWith("failed: ")
                    && collapsed.framing().equals("ended");
            return (cutOff || notBegun) && plain.head().equals(collapsed.head()) && isPartOf(plain, collapsed);
        }
    },
    /** What a handler writes without a flush, or below a filter that holds flushes, may be cut into other chunks. */
    A_COLLECTED_BODY_IS_CUT_INTO_OTHER_CHUNKS {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean flushes =
                    setup.handler().flushes() && setup.filters().stream().noneMatch(LabFilter::holdsFlushes);
            return !flushes && plain.anyChunks().equals(collapsed.anyChunks());
        }
    },
    /** In a dispatch, a container gives filters in front what those behind them have wrapped: one that answers for a handler that throws writes through it. */
    FILTERS_IN_FRONT_WRITE_THROUGH_OTHERS_IN_DISPATCHES {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabFilter> behind = setup.filters().stream()
                    .dropWhile(filter -> filter != LabFilter.TRANSLATES_FAILURES)
                    .toList();
            return make.side() == LabMake.Side.SERVLET
                    && setup.parks()
                    && behind.stream().anyMatch(LabFilter.BEGINNING::contains)
                    && isBegunByFilters(call, "translated: ", plain, collapsed);
        }
    },
    /**
     * At the end of a forward, a container asks again where to write. Spring's filter for entity tags passes that on where the handler has set one, and
     * what was opened in front in the other way refuses it: then the container closes that, and what the filter holds is lost. Of a handler that opens the
     * body in both ways, the second part may be left.
     */
    A_FILTER_FOR_ENTITY_TAGS_LOSES_A_BODY_BEHIND_A_FORWARD {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            String ofFilter = call.headers().stream()
                    .filter(header -> header.getKey().equals("X-User"))
                    .map(header -> "(" + header.getValue() + ")")
                    .findFirst()
                    .orElse("");
            boolean opensBoth =
                    setup.handler().steps().stream().anyMatch(step -> step.what() == LabStep.What.WRITE_BYTES);
            return (opensBoth || List.of("", ofFilter).contains(plain.body()))
                    && setup.behind().stream().anyMatch(LabFilter::forwards)
                    && setup.filters().contains(LabFilter.ETAG)
                    && setup.filters().contains(LabFilter.WRITES_BYTES_FIRST)
                    && setup.handler().steps().stream().anyMatch(step -> step.what() == LabStep.What.VALIDATE)
                    && setup.handler().steps().stream().anyMatch(LabStep::needsWriter);
        }
    },
    /**
     * In an include, containers ignore what is said of the head, by a response of their own in another place than with collapsing: a filter that says
     * something as soon as it is asked for the body is heard or not.
     */
    FILTERS_THAT_SET_HEADERS_IN_AN_INCLUDE_ARE_HEARD_OR_NOT {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.behind().stream().anyMatch(LabFilter::includes)
                    && Stream.of(setup.filters(), setup.behind())
                            .flatMap(List::stream)
                            .anyMatch(filter -> filter == LabFilter.GZIP_WHEN_ASKED)
                    && withoutCoding(plain).equals(withoutCoding(collapsed));
        }

        private static RawReply withoutCoding(RawReply reply) {
            String head = reply.head().replaceAll("(?im)^content-encoding:.*\\n", "");
            return new RawReply(head, reply.body(), reply.framing(), List.of());
        }
    };
}

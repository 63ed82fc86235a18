package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The documented limits, by name: a difference that one of them explains is none. */
enum LabLimits {
    /** How much of a body arrives before it breaks off is a matter of time; of one byte, a caller gets that or the failure. */
    A_BROKEN_BODY_HAS_ANY_LENGTH {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean cutOff =
                    plain.framing().contains("cut off") && plain.framing().equals(collapsed.framing());
            boolean notBegun = call.reading() == LabCall.Reading.BEGINNING
                    && (bodyMayBreak(setup) || isRefusedByJettysClient(plain))
                    && plain.framing().startsWith("failed: ")
                    && collapsed.framing().equals("ended");
            return (cutOff || notBegun) && plain.head().equals(collapsed.head()) && isPartOf(plain, collapsed);
        }
    },
    /** A follower of OkHttp has no response before a redirect. */
    OK_HTTP_SHOWS_FOLLOWERS_NO_RESPONSE_BEFORE {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make.name().startsWith("OK_HTTP")
                    && setup.client().follows()
                    && collapsed.head().contains("before = none")
                    && withoutBefore(plain).equals(withoutBefore(collapsed));
        }

        private static RawReply withoutBefore(RawReply reply) {
            String head = reply.head().replaceAll("(?s)before = .*", "");
            return new RawReply(head, reply.body(), reply.framing(), List.of());
        }
    },
    /** Where others may still come, clients without Spring read the body first: one that breaks off fails the call in place of its reader. */
    A_BODY_THAT_BREAKS_OFF_FAILS_THE_CALL {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make.readsBodiesFirst()
                    && bodyMayBreak(setup)
                    && collapsed.head().isEmpty()
                    && collapsed.framing().startsWith("failed: ")
                    && (endsEarly(call, plain) || root(plain.framing()).equals(root(collapsed.framing())));
        }

        /** A reader's failure is wrapped by its stream, that of a call by a future. */
        private static String root(String end) {
            return end.replaceAll(".*[ \\[]", "");
        }
    },
    /**
     * Apache's asynchronous client reports twice that a body breaks off, with two failures: a reader that has subscribed sees the first, a late one
     * the second. Jetty's client wraps the end of a connection or not. A control run shows both.
     */
    TRANSPORTS_FAIL_IN_TWO_WAYS {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return (make == LabMake.WEB_CLIENT_OVER_APACHE || make.name().endsWith("OVER_JETTY"))
                    && !plain.framing().equals(collapsed.framing())
                    && plain.head().equals(collapsed.head())
                    && classes(make, plain).equals(classes(make, collapsed))
                    && isPartOf(plain, collapsed);
        }
    },
    /** An origin that breaks off ends a connection which Apache's client may be about to take from its pool. A control run shows it. */
    APACHES_CLIENT_TAKES_A_CONNECTION_THAT_ENDS {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make.name().contains("APACHE")
                    && bodyMayBreak(setup)
                    && Stream.of(plain, collapsed)
                            .anyMatch(reply -> reply.head().isEmpty()
                                    && reply.framing().endsWith("org.apache.hc.core5.http.NoHttpResponseException]"));
        }
    },
    /** Jetty's client may read into a buffer that it has given back, where a connection ends behind a head. A control run shows it. */
    JETTYS_CLIENT_READS_INTO_A_BUFFER_THAT_IS_GONE {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make.name().endsWith("OVER_JETTY")
                    && bodyMayBreak(setup)
                    && collapsed.body().isEmpty()
                    && collapsed.framing().startsWith("failed: ")
                    && collapsed.framing().endsWith("java.lang.IllegalArgumentException]");
        }
    },
    /**
     * A follower of a response whose body breaks off sees of the head no more than status and type, and of the body no more than its first byte,
     * also if it reads no more. Over Reactor Netty, whose failures are no
     * {@code IOException}s, a body that breaks off fails the call.
     */
    FOLLOWERS_OF_A_BROKEN_BODY_SEE_LITTLE_OF_ITS_HEAD {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean sawTheSame = plain.framing().equals("ended") && plain.body().equals(collapsed.body());
            boolean sawLittle = List.of("", "null").contains(collapsed.body())
                    || (call.reading() == LabCall.Reading.BEGINNING
                            && collapsed.body().length() == 1);
            boolean endsAlike = collapsed.framing().equals("ended")
                    ? sawTheSame && sawLittle
                    : endsEarly(call, plain) || classes(make, plain).equals(classes(make, collapsed));
            return (make.name().startsWith("SPRING_") || make.name().startsWith("WEB_CLIENT_"))
                    && bodyMayBreak(setup)
                    && endsAlike
                    && lines(plain).containsAll(lines(collapsed))
                    && isPartOf(plain, collapsed);
        }

        /** Names of headers may differ in case. */
        private static List<String> lines(RawReply reply) {
            return reply.head()
                    .toLowerCase(Locale.ROOT)
                    .lines()
                    .map(String::strip)
                    .toList();
        }
    },
    /** A redirect that a transport follows unseen does not keep a request without credentials from being shared. */
    REDIRECTS_ARE_FOLLOWED_UNSEEN {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.client().follows()
                    && (make == LabMake.FEIGN
                            || make.name().startsWith("WEB_CLIENT_OVER_JDK")
                            || (make == LabMake.SPRING_OVER_APACHE
                                    && !setup.client().otherPlace()))
                    && call.headers().stream()
                            .noneMatch(header -> header.getKey().equals("Authorization"))
                    && collapsed.head().contains("(the serial of another caller)")
                    && plain.equals(new RawReply(
                            collapsed.head().replace("the serial of another caller", "serial"),
                            collapsed.body(),
                            collapsed.framing(),
                            collapsed.chunks()));
        }
    },
    /** Feign's client fails at a 304 or 204 that says it is compressed. If failures are shared, followers get it that have not asked for the coding. */
    A_SHARED_FAILURE_IS_THAT_OF_THE_LEADER {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.FEIGN
                    && setup.client().onFailure().equals(Optional.of(LeaderFailurePolicy.SHARE))
                    && setup.handler().steps().stream().anyMatch(step -> step.what() == LabStep.What.ENCODE)
                    && plain.head().matches("(?s)[23]04 .*")
                    && collapsed.head().isEmpty()
                    && collapsed.framing().equals("failed: [java.io.EOFException]");
        }
    },
    /**
     * Where others may still come, a reactive handler's body is collected before it is sent: one that fails at once is answered with an
     * error in place of a body that breaks off, be it behind no more than what a filter in front has begun it with.
     */
    A_COLLECTED_BODY_THAT_FAILS_IS_AN_ERROR {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean begins = setup.filters().stream().anyMatch(LabFilter.BEGINNING::contains)
                    || setup.handler().steps().stream().anyMatch(LabStep::writes);
            return make.isReactive()
                    && begins
                    && setup.handler().steps().stream().anyMatch(LabStep::fails)
                    && status(collapsed).compareTo("400") >= 0;
        }
    },
    /** Spring's reactive server keeps the headers about a body that fails, if nobody wants the body; where it is collected, they are cleared. */
    A_FAILED_BODY_FOR_A_HEAD_REQUEST_HAS_NO_HEADERS {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make.isReactive()
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
    /**
     * Undertow does not take a flush before which nothing was written for one: what follows may be cleared, by a handler or by Undertow itself for
     * one that fails, and the size of the buffer may change.
     */
    UNDERTOW_IGNORES_A_FLUSH_OF_NOTHING {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> steps = setup.handler().steps();
            List<LabStep> fromFlush = steps.stream()
                    .dropWhile(step -> !step.flushes() && !step.writes())
                    .toList();
            return make == LabMake.UNDERTOW
                    && !fromFlush.isEmpty()
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
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> fromStream = setup.handler().steps().stream()
                    .dropWhile(step -> step.what() != LabStep.What.WRITE_BYTES && step.what() != LabStep.What.CLOSE)
                    .toList();
            return make == LabMake.UNDERTOW
                    && fromStream.stream().anyMatch(LabStep::needsWriter)
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
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> behindBody = setup.handler().steps().stream()
                    .dropWhile(step -> !step.writes())
                    .dropWhile(step -> !step.declaresLength())
                    .toList();
            return make == LabMake.UNDERTOW
                    && behindBody.size() > 1
                    && behindBody.get(0).number() > 0;
        }
    },
    /** At the end of a forward, Undertow asks for a writer, too: where the type names an unknown charset, it fails through a filter that holds the body. */
    UNDERTOW_ASKS_FOR_A_WRITER_BEHIND_A_FORWARD {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.UNDERTOW
                    && setup.behind().contains(LabFilter.FORWARDS)
                    && setup.handler().steps().stream().anyMatch(LabStep::setsUnreadableType)
                    && status(plain).equals("500");
        }
    },
    /** Undertow drops what it has not sent when a handler fails behind a flush, as where it refuses to clear the buffer. */
    UNDERTOW_DROPS_WHAT_A_FAILING_HANDLER_HAS_NOT_FLUSHED {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> fromFlush = setup.handler().steps().stream()
                    .dropWhile(step -> !step.flushes())
                    .toList();
            return make == LabMake.UNDERTOW
                    && fromFlush.stream().anyMatch(LabStep::writes)
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
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean flushed = setup.handler().steps().stream().anyMatch(LabStep::flushes)
                    && plain.body().equals(collapsed.body());
            boolean closed = setup.handler().steps().stream().anyMatch(LabStep::endsTheBody);
            return make == LabMake.UNDERTOW
                    && setup.behind().contains(LabFilter.INCLUDES)
                    && (flushed || closed)
                    && isPartOf(plain, collapsed);
        }
    },
    /** Behind a cleared buffer, Jetty's writer does not write the mark of UTF-16 again, which has been cleared. */
    JETTY_WRITES_NO_MARK_BEHIND_A_CLEARED_BUFFER {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.JETTY
                    && setup.handler().steps().stream().anyMatch(step -> step.what() == LabStep.What.RESET_BUFFER)
                    && collapsed.body().equals(MARK + plain.body())
                    && withoutLength(plain).equals(withoutLength(collapsed));
        }
    },
    /** Where Jetty has reset the response for a forward, it has no page for a body that is shorter than declared. */
    JETTY_HAS_NO_PAGE_FOR_A_SHORT_BODY_BEHIND_A_FORWARD {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.JETTY
                    && setup.behind().contains(LabFilter.FORWARDS)
                    && setup.handler().steps().stream().anyMatch(LabStep::declaresLength)
                    && status(plain).equals("500")
                    && status(collapsed).equals("500");
        }
    },
    /** Undertow ends the body of a forward by a writer, which has a charset, and a flush if the response is wrapped. */
    UNDERTOW_FLUSHES_FORWARDS_OF_WRAPPED_RESPONSES {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.UNDERTOW
                    && setup.behind().contains(LabFilter.FORWARDS)
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
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> steps = setup.handler().steps();
            return make == LabMake.UNDERTOW
                    && steps.stream().anyMatch(LabStep::declaresLength)
                    && steps.stream().anyMatch(LabStep::writesMuch)
                    && status(plain).equals("500");
        }
    },
    /** What a handler writes without a flush may be cut into other chunks. */
    A_COLLECTED_BODY_IS_CUT_INTO_OTHER_CHUNKS {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return !setup.handler().flushes() && plain.anyChunks().equals(collapsed.anyChunks());
        }
    },
    /**
     * Jetty's writer hands on 1,024 characters at a time, counted from the beginning of each write. Where the buffer is smaller, each goes out as a
     * full buffer and a rest: where that falls, depends on the sizes of the writes, of which a writer that holds a text makes others.
     */
    JETTY_CUTS_TEXTS_THAT_ITS_BUFFER_DOES_NOT_HOLD_BY_THE_SIZES_OF_WRITES {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> fromSize = setup.handler().steps().stream()
                    .dropWhile(step -> step.what() != LabStep.What.BUFFER_SIZE)
                    .toList();
            return make == LabMake.JETTY
                    && fromSize.stream().anyMatch(step -> step.what() == LabStep.What.WRITE_TEXT && step.writesMuch())
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
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean ends = setup.handler().steps().stream().anyMatch(LabStep::endsTheBody)
                    && (plain.framing().equals(NO_RESPONSE)
                            || collapsed.framing().equals(NO_RESPONSE));
            return make == LabMake.JETTY && ends;
        }
    },
    /** Jetty cuts a large body that is longer than declared, or fails its handler before anything is sent, by the sizes of its writes. */
    JETTY_CUTS_OR_FAILS_A_LARGE_BODY_THAT_IS_LONGER_THAN_DECLARED {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> steps = setup.handler().steps();
            return make == LabMake.JETTY
                    && steps.stream().anyMatch(LabStep::declaresLength)
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
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.JETTY
                    && setup.filters().contains(LabFilter.ETAG)
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
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
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
            return make == LabMake.JETTY
                    && (refused || (opensBoth && steps.stream().anyMatch(LabStep::writesMuch)))
                    && plain.framing().equals("until the connection ends")
                    && plain.framing().equals(collapsed.framing())
                    && plain.head().equals(collapsed.head())
                    && isPartOf(plain, collapsed);
        }
    },
    /**
     * Below Spring's reactive adapter, Tomcat answers a body that fails at once with an error, or with a beginning that breaks off, or rarely
     * ends, with collapsing or without: its threads decide whether the beginning is sent before the failure is seen.
     */
    TOMCAT_ANSWERS_A_BODY_THAT_FAILS_IN_TWO_WAYS {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.REACTIVE_TOMCAT
                    && setup.handler().steps().stream().anyMatch(LabStep::writesMuch)
                    && setup.handler().steps().stream().anyMatch(LabStep::fails)
                    && status(plain).compareTo("400") >= 0
                    && collapsed.framing().startsWith("chunked");
        }
    },
    /**
     * Below Spring's reactive adapter, Tomcat breaks off the response of one client when another leaves, with collapsing or without: a run of the
     * plain application against itself shows it as often.
     */
    TOMCAT_BREAKS_A_RESPONSE_WHEN_ANOTHER_CLIENT_LEAVES {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.REACTIVE_TOMCAT
                    && setup.callers().stream().flatMap(List::stream).anyMatch(LabCall::leaves)
                    && (collapsed.framing().contains("cut off")
                            || collapsed.framing().equals(NO_RESPONSE));
        }
    },
    /** In a dispatch, a container gives filters in front what those behind them have wrapped: one that answers for a handler that throws writes through it. */
    FILTERS_IN_FRONT_WRITE_THROUGH_OTHERS_IN_DISPATCHES {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabFilter> behind = setup.filters().stream()
                    .dropWhile(filter -> filter != LabFilter.TRANSLATES_FAILURES)
                    .toList();
            return make.side() == LabMake.Side.SERVLET
                    && setup.parks()
                    && behind.stream().anyMatch(LabFilter.BEGINNING::contains)
                    && isBegunByFilters(call, "translated: ", plain, collapsed);
        }
    },
    /** Undertow writes an error page past the filters, but to their response if the request has been dispatched. */
    UNDERTOW_WRITES_ERROR_PAGES_THROUGH_FILTERS_IN_DISPATCHES {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.UNDERTOW
                    && setup.parks()
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
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.UNDERTOW
                    && setup.handler().kind() != LabHandler.Kind.DIRECT
                    && setup.handler().steps().stream().anyMatch(step -> step.what() == LabStep.What.SEND_ERROR)
                    && collapsed.framing().startsWith("no response in ");
        }
    },
    /** Undertow itself answers a client whose request has been dispatched with an error page of its own, or without a body. */
    UNDERTOW_MAKES_OTHER_ERROR_PAGES_IN_DISPATCHES {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.UNDERTOW
                    && setup.parks()
                    && status(plain).equals("500")
                    && status(collapsed).equals("500");
        }
    };

    /** Jetty says with a cookie that the response expires. */
    private static final Pattern OWN_COOKIE =
            Pattern.compile("(?m)^(Set-Cookie: own=.*|set-cookie: own=.*|Expires: Thu, 01 Jan 1970.*)\\n?");

    /** U+FEFF in UTF-16, each byte as a character. */
    private static final String MARK = "\u00fe\u00ff";

    private static final String NO_RESPONSE = "the connection ended before a response";

    private static final Pattern STATUS_LINE = Pattern.compile("(?m)^HTTP/\\S+ (\\d+)");

    /** As {@link RawReply} shows long bodies. */
    private static final Pattern DIGEST = Pattern.compile("\\d+ bytes, [0-9a-f]+");

    abstract boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed);

    /**
     * Returns the name of what explains a difference, if anything does. A policy that strips cookies keeps those of the handler for its own client: they
     * are no difference, whatever else is.
     */
    static Optional<String> explaining(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
        boolean strips = setup.policy() == LabPolicy.STRIPPED;
        RawReply without = strips ? withoutOwnCookie(plain) : plain;
        RawReply with = strips ? withoutOwnCookie(collapsed) : collapsed;
        if (strips && inAnyOrder(make, without.anyChunks()).equals(inAnyOrder(make, with.anyChunks()))) {
            return Optional.of("STRIPPED_COOKIES_ARE_THE_LEADERS");
        }
        return Stream.of(values())
                .filter(limit -> limit.explains(make, setup, call, without, with))
                .map(Enum::name)
                .findFirst();
    }

    private static RawReply withoutOwnCookie(RawReply reply) {
        String head = OWN_COOKIE.matcher(reply.head()).replaceAll("").strip();
        return new RawReply(head, reply.body(), reply.framing(), reply.chunks());
    }

    /** Undertow keeps headers in a table, whose order another number of them changes. */
    private static RawReply inAnyOrder(LabMake make, RawReply reply) {
        return make == LabMake.UNDERTOW
                ? new RawReply(
                        reply.head().lines().sorted().collect(Collectors.joining("\n")),
                        reply.body(),
                        reply.framing(),
                        reply.chunks())
                : reply;
    }

    private static boolean bodyMayBreak(LabSetup setup) {
        return setup.handler().steps().stream()
                .anyMatch(step -> step.what() == LabStep.What.THROW_CHECKED || step.declaresLength());
    }

    /** Whether a caller without collapsing has not read so far that it would have seen the body break off. */
    private static boolean endsEarly(LabCall call, RawReply plain) {
        return switch (call.reading()) {
            case HEAD, BEGINNING -> plain.framing().equals("ended");
            case TEXT -> plain.framing().equals("failed: [java.nio.charset.UnsupportedCharsetException]");
            case WHOLE -> false;
        };
    }

    /** Whether one body is the beginning of the other; of long ones, nobody knows. */
    private static boolean isPartOf(RawReply one, RawReply other) {
        return one.body().startsWith(other.body())
                || other.body().startsWith(one.body())
                || DIGEST.matcher(one.body()).matches()
                || DIGEST.matcher(other.body()).matches();
    }

    /** Jetty's client fails a response with status 401 that names no way to log in, while its body arrives. */
    private static boolean isRefusedByJettysClient(RawReply reply) {
        return reply.framing().endsWith("[org.eclipse.jetty.client.HttpResponseException]");
    }

    /** Those of an exception and its causes; of two ways in which a transport fails by luck, always the same. */
    private static String classes(LabMake make, RawReply reply) {
        String all = reply.framing().replaceAll(".*: ", "");
        return switch (make) {
            case WEB_CLIENT_OVER_APACHE ->
                all.replace("java.io.InterruptedIOException", "org.apache.hc.core5.http.ConnectionClosedException");
            case SPRING_OVER_JETTY, WEB_CLIENT_OVER_JETTY ->
                all.replace("java.io.IOException, java.io.EOFException", "java.io.EOFException");
            default -> all;
        };
    }

    /** Whether filters have begun a body that begins otherwise without collapsing; to a HEAD request, its length alone tells. */
    private static boolean isBegunByFilters(LabCall call, String beginning, RawReply plain, RawReply collapsed) {
        boolean begun = call.method().equals("HEAD")
                ? withoutLength(plain).equals(withoutLength(collapsed))
                : unbegun(plain).contains(beginning) && unbegun(collapsed).equals(unbegun(plain));
        return begun && status(plain).equals(status(collapsed));
    }

    private static String unbegun(RawReply reply) {
        return reply.body().replace("<", "");
    }

    private static String withoutLength(RawReply reply) {
        return reply.head().replaceAll("(?im)^content-length:.*\\n?", "").strip();
    }

    private static String status(RawReply reply) {
        Matcher line = STATUS_LINE.matcher(reply.head());
        return line.find() ? line.group(1) : "";
    }
}

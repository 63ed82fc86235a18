package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The documented limits, by name: a difference that one of them explains is none. */
enum LabLimits {
    /** How much of a body arrives before it breaks off is a matter of time. */
    A_BROKEN_BODY_HAS_ANY_LENGTH {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return plain.framing().contains("cut off")
                    && plain.framing().equals(collapsed.framing())
                    && plain.head().equals(collapsed.head())
                    && isPartOf(plain, collapsed);
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
    /**
     * A follower of a response whose body breaks off sees of the head no more than status and type. Over Reactor Netty, whose failures are no
     * {@code IOException}s, a body that breaks off fails the call.
     */
    FOLLOWERS_OF_A_BROKEN_BODY_SEE_LITTLE_OF_ITS_HEAD {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean sawNothing = plain.framing().equals("ended")
                    && plain.body().equals(collapsed.body())
                    && List.of("", "null").contains(collapsed.body());
            boolean endsAlike = collapsed.framing().equals("ended")
                    ? sawNothing
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
    /** Behind Spring's filter for entity tags, a handler that sets a tag late writes past what the filter holds, from its next question for a writer or stream. */
    SPRINGS_FILTER_FOR_TAGS_STEPS_ASIDE {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.filters().contains(LabFilter.ETAG)
                    && setup.handler().steps().stream().skip(1).anyMatch(LabStep::setsTag);
        }
    },
    /**
     * Where others may still come, a reactive handler's body is collected before it is sent: one that fails at once is answered with an
     * error in place of a body that breaks off.
     */
    A_COLLECTED_BODY_THAT_FAILS_IS_AN_ERROR {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make.isReactive()
                    && setup.handler().steps().stream().anyMatch(LabStep::writes)
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
    /** Undertow lets a handler clear what it, or a filter in front, has written behind a flush, if nothing of it has been sent. */
    UNDERTOW_CLEARS_BEHIND_A_FLUSH {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make == LabMake.UNDERTOW
                    && (setup.handler().steps().stream().anyMatch(LabStep::flushes)
                            || setup.filters().contains(LabFilter.GZIP))
                    && setup.handler().steps().stream().anyMatch(LabStep::clears);
        }
    },
    /** Undertow fails a large body that is longer than declared, lets the size of a buffer change behind a flush, and keeps a charset in spite of a reset. */
    UNDERTOW_HAS_RULES_OF_ITS_OWN {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<LabStep> steps = setup.handler().steps();
            boolean declared = steps.stream().anyMatch(LabStep::declaresLength)
                    && status(plain).equals("500");
            boolean resized = steps.stream().anyMatch(LabStep::flushes)
                    && steps.stream().anyMatch(step -> step.what() == LabStep.What.BUFFER_SIZE);
            boolean reset = steps.stream().anyMatch(step -> step.what() == LabStep.What.RESET)
                    && withoutCharset(plain).equals(withoutCharset(collapsed));
            return make == LabMake.UNDERTOW && (declared || resized || reset);
        }

        private static RawReply withoutCharset(RawReply reply) {
            return new RawReply(
                    reply.head().replaceAll("(?i);\\s*charset=.*", ""), reply.body(), reply.framing(), List.of());
        }
    },
    /** What a handler writes without a flush may be cut into other chunks. */
    A_COLLECTED_BODY_IS_CUT_INTO_OTHER_CHUNKS {
        @Override
        boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return setup.handler().steps().stream().noneMatch(LabStep::flushes)
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
            boolean fails = setup.handler().steps().stream().anyMatch(LabStep::declaresLength)
                    && status(plain).equals("500");
            return make == LabMake.JETTY && (ends || fails);
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

    private static final String NO_RESPONSE = "the connection ended before a response";

    private static final Pattern STATUS_LINE = Pattern.compile("(?m)^HTTP/\\S+ (\\d+)");

    /** As {@link RawReply} shows long bodies. */
    private static final Pattern DIGEST = Pattern.compile("\\d+ bytes, [0-9a-f]+");

    abstract boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed);

    /**
     * Returns the name of what explains a difference, or null. A policy that strips cookies keeps those of the handler for its own client: they
     * are no difference, whatever else is.
     */
    static @Nullable String explaining(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
        boolean strips = setup.policy() == LabPolicy.STRIPPED;
        RawReply without = strips ? withoutOwnCookie(plain) : plain;
        RawReply with = strips ? withoutOwnCookie(collapsed) : collapsed;
        if (strips && without.anyChunks().equals(with.anyChunks())) {
            return "STRIPPED_COOKIES_ARE_THE_LEADERS";
        }
        return Stream.of(values())
                .filter(limit -> limit.explains(make, setup, call, without, with))
                .map(Enum::name)
                .findFirst()
                .orElse(null);
    }

    private static RawReply withoutOwnCookie(RawReply reply) {
        String head = OWN_COOKIE.matcher(reply.head()).replaceAll("").strip();
        return new RawReply(head, reply.body(), reply.framing(), reply.chunks());
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

    private static String status(RawReply reply) {
        Matcher line = STATUS_LINE.matcher(reply.head());
        return line.find() ? line.group(1) : "";
    }
}

package io.github.collapseexecutor.http.lab;

import static io.github.collapseexecutor.http.lab.Replies.bodyMayBreak;
import static io.github.collapseexecutor.http.lab.Replies.classes;
import static io.github.collapseexecutor.http.lab.Replies.endsEarly;
import static io.github.collapseexecutor.http.lab.Replies.isPartOf;
import static io.github.collapseexecutor.http.lab.Replies.isRefusedByJettysClient;

import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The limits of clients and their transports. */
enum ClientLimits implements LabLimit {
    /** A follower of OkHttp has no response before a redirect. */
    OK_HTTP_SHOWS_FOLLOWERS_NO_RESPONSE_BEFORE {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
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
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
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
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return (make == LabMake.WEB_CLIENT_OVER_APACHE || make.name().endsWith("OVER_JETTY"))
                    && !plain.framing().equals(collapsed.framing())
                    && plain.head().equals(collapsed.head())
                    && classes(make, plain).equals(classes(make, collapsed))
                    && isPartOf(plain, collapsed);
        }
    },
    /** An origin that breaks off ends a connection which Apache's or Jetty's client may be about to take from its pool. A control run shows it. */
    CLIENTS_TAKE_A_CONNECTION_THAT_ENDS {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            List<String> failures = make.name().contains("APACHE")
                    ? List.of(
                            "org.apache.hc.core5.http.NoHttpResponseException]",
                            "org.apache.hc.core5.http.RequestNotExecutedException]")
                    : make.name().endsWith("OVER_JETTY") ? List.of("java.io.EOFException]") : List.of();
            return bodyMayBreak(setup)
                    && Stream.of(plain, collapsed)
                            .filter(reply -> reply.head().isEmpty())
                            .anyMatch(reply -> failures.stream().anyMatch(reply.framing()::endsWith));
        }
    },
    /** Jetty's client may read into a buffer that it has given back, where a connection ends behind a head. A control run shows it. */
    JETTYS_CLIENT_READS_INTO_A_BUFFER_THAT_IS_GONE {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make.name().endsWith("OVER_JETTY")
                    && bodyMayBreak(setup)
                    && collapsed.body().isEmpty()
                    && collapsed.framing().startsWith("failed: ")
                    && collapsed.framing().endsWith("java.lang.IllegalArgumentException]");
        }
    },
    /** Jetty's client takes headers out of a response that its caller reads, when it decodes the body. A control run shows it. */
    JETTYS_CLIENT_CHANGES_A_HEAD_THAT_IS_READ {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            return make.name().endsWith("OVER_JETTY")
                    && setup.handler().steps().stream().anyMatch(step -> step.what() == LabStep.What.ENCODE)
                    && collapsed.framing().equals("failed: [java.lang.NullPointerException]");
        }
    },
    /**
     * A follower of a response whose body breaks off sees of the head no more than status and type, and of the body no more than its first byte,
     * also if it reads no more. Over Reactor Netty, whose failures are no
     * {@code IOException}s, a body that breaks off fails the call.
     */
    FOLLOWERS_OF_A_BROKEN_BODY_SEE_LITTLE_OF_ITS_HEAD {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean sawTheSame = plain.framing().equals("ended") && plain.body().equals(collapsed.body());
            boolean sawLittle = List.of("", "null").contains(collapsed.body())
                    || (call.reading() == LabCall.Reading.BEGINNING
                            && collapsed.body().length() == 1);
            boolean endsAlike = collapsed.framing().equals("ended")
                    ? sawTheSame && sawLittle
                    : endsEarly(call, plain) || classes(make, plain).equals(classes(make, collapsed));
            return (make.name().startsWith("SPRING_") || make.name().startsWith("WEB_CLIENT_"))
                    && (bodyMayBreak(setup) || isRefusedByJettysClient(plain))
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
    /**
     * Over Reactor Netty, a RestTemplate fails where it closes a response whose body breaks off. Where the body is read before, it does not, and reads the
     * type first.
     */
    NETTY_FAILS_AT_THE_END_OF_A_BROKEN_BODY {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean closesEarly =
                    List.of(LabCall.Reading.HEAD, LabCall.Reading.BEGINNING).contains(call.reading())
                            && collapsed.framing().equals("ended");
            boolean unreadable = collapsed.framing().endsWith("org.springframework.util.InvalidMimeTypeException]");
            return make.name().startsWith("SPRING_OVER_NETTY")
                    && bodyMayBreak(setup)
                    && plain.framing().endsWith("reactor.netty.http.client.PrematureCloseException]")
                    && collapsed.body().equals(plain.body())
                    && (closesEarly || unreadable);
        }
    },
    /** A redirect that a transport follows unseen does not keep a request without credentials from being shared. */
    REDIRECTS_ARE_FOLLOWED_UNSEEN {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
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
    /**
     * If failures are shared, followers get that of a leader that has asked for another coding: a body that breaks off in the one and not in the
     * other, or has begun in the one only, or Feign's client at a response without a body that says it is compressed.
     */
    A_SHARED_FAILURE_IS_THAT_OF_THE_LEADER {
        @Override
        public boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
            boolean withoutBody = make == LabMake.FEIGN
                    && (call.method().equals("HEAD") || plain.head().matches("(?s)[23]04 .*"));
            return setup.client().onFailure().equals(Optional.of(LeaderFailurePolicy.SHARE))
                    && setup.handler().steps().stream().anyMatch(step -> step.what() == LabStep.What.ENCODE)
                    && (withoutBody || bodyMayBreak(setup))
                    && collapsed.body().isEmpty()
                    && collapsed.framing().startsWith("failed: ")
                    && (plain.framing().startsWith("failed: ")
                            || collapsed.framing().endsWith("java.io.EOFException]"));
        }
    };
}

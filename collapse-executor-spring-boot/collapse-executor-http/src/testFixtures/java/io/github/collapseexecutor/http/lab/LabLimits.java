package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which of the documented limits explain a difference. No limit explains that a caller is shown another user's name. */
final class LabLimits {

    /** Jetty says with a cookie that the response expires. */
    private static final Pattern OWN_COOKIE =
            Pattern.compile("(?m)^(Set-Cookie: own=.*|set-cookie: own=.*|Expires: Thu, 01 Jan 1970.*)\\n?");

    private static final Pattern USERS = Pattern.compile("(?i)(?<!\\w)(" + String.join("|", LabSetup.USERS) + ")");

    private LabLimits() {}

    private static Stream<LabLimit> of(LabMake make) {
        List<? extends LabLimit> own = switch (make) {
            case TOMCAT -> List.of(TomcatLimits.values());
            case JETTY -> List.of(JettyLimits.values());
            case UNDERTOW -> List.of(UndertowLimits.values());
            case REACTIVE_NETTY, REACTIVE_TOMCAT -> List.of(ReactiveLimits.values());
            default -> List.of(ClientLimits.values());
        };
        return Stream.concat(Stream.of(CommonLimits.values()), own.stream());
    }

    /**
     * Returns the name of what explains a difference, if anything does. A policy that strips cookies keeps those of the handler for its own client: they
     * are no difference, whatever else is.
     */
    static Optional<String> explaining(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
        if (showsAnother(call, plain, collapsed)) {
            return Optional.empty();
        }
        boolean strips = setup.policy() == LabPolicy.STRIPPED;
        RawReply without = strips ? withoutOwnCookie(plain) : plain;
        RawReply with = strips ? withoutOwnCookie(collapsed) : collapsed;
        if (strips && inAnyOrder(make, without.anyChunks()).equals(inAnyOrder(make, with.anyChunks()))) {
            return Optional.of("STRIPPED_COOKIES_ARE_THE_LEADERS");
        }
        return of(make).filter(limit -> limit.explains(make, setup, call, without, with))
                .map(LabLimit::name)
                .findFirst();
    }

    /** Whether a caller sees the name of a user that is not its own and that it does not see without collapsing. */
    private static boolean showsAnother(LabCall call, RawReply plain, RawReply collapsed) {
        Set<String> users = users(collapsed);
        users.removeAll(users(plain));
        users.removeAll(call.headers().stream().map(Map.Entry::getValue).toList());
        return !users.isEmpty();
    }

    private static Set<String> users(RawReply reply) {
        return USERS.matcher(reply.head() + "\n" + Replies.text(reply))
                .results()
                .map(found -> found.group(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static RawReply withoutOwnCookie(RawReply reply) {
        String head = OWN_COOKIE.matcher(reply.head()).replaceAll("").strip();
        return new RawReply(head, reply.body(), reply.framing(), reply.chunks());
    }

    /** Undertow keeps headers in a table, whose order another number of them changes. Jetty keeps the place of a header that a cookie has brought. */
    private static RawReply inAnyOrder(LabMake make, RawReply reply) {
        return make == LabMake.UNDERTOW || make == LabMake.JETTY
                ? new RawReply(
                        reply.head().lines().sorted().collect(Collectors.joining("\n")),
                        reply.body(),
                        reply.framing(),
                        reply.chunks())
                : reply;
    }
}

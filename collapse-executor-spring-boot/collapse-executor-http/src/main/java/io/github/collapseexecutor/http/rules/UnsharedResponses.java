package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Says once why responses are not shared that several requests waited for, if it is a header or the length of the body: an origin that
 * forbids sharing with each response would go unnoticed. Nothing of a request is in it but the origin's host (H33).
 */
final class UnsharedResponses {

    /** A client of many hosts must not fill the log. */
    private static final int MOST_LINES = 20;

    private static final String DIRECTIVE =
            "Have the origin leave it out if the response may answer several requests. Spring Security adds it to each response, until the"
                    + " origin says http.headers(headers -> headers.cacheControl(cache -> cache.disable())).";

    private static final System.Logger LOGGER = System.getLogger(SharingRules.class.getName());

    private record Said(String host, CollapseRule rule, Reason reason) {}

    // immutable
    private final String name;
    private final HttpCollapseOptions options;

    // mutable, thread-safe
    private final Set<Said> said = ConcurrentHashMap.newKeySet();

    UnsharedResponses(String name, HttpCollapseOptions options) {
        this.name = name;
        this.options = options;
    }

    void sayOnce(CollapsibleRequest leader, Reason reason) {
        String cause = causeOf(reason);
        String host = hostOf(leader.uri());
        if (cause != null && said.size() < MOST_LINES && said.add(new Said(host, leader.rule(), reason))) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    () -> name + ": a response of " + host + " to requests of group "
                            + leader.rule().patterns() + " was not shared, so that each request makes its own call: "
                            + cause + " This is said once; the meter collapse.not.shared counts all.");
        }
    }

    /** A name and a password in front of the host are not shown. */
    private static String hostOf(URI uri) {
        String authority = String.valueOf(uri.getRawAuthority());
        return authority.substring(authority.lastIndexOf('@') + 1);
    }

    /** Returns what keeps a response from being shared, and the remedy; null if it is not for what all responses of an origin may have. */
    private @Nullable String causeOf(Reason reason) {
        return switch (reason) {
            case NO_STORE -> "it has Cache-Control: no-store. " + DIRECTIVE;
            case NO_CACHE -> "it has Cache-Control: no-cache. " + DIRECTIVE;
            case PRIVATE ->
                "it has Cache-Control: private, and the key has no credentials. Have the origin leave it out if the response"
                        + " is for all users.";
            case AUTHORIZATION ->
                "it answers an Authorization that the policy leaves out of the key, and has no Cache-Control: public."
                        + " Have the origin send that if the response is for all users.";
            case SET_COOKIE ->
                "it has Set-Cookie. Have the origin set no cookie on reads, or use a policy that strips it"
                        + " (strip-set-cookie) if no caller needs it.";
            case PERSONAL ->
                "it has a header for one receiver, such as WWW-Authenticate or X-CSRF-TOKEN. Have the origin leave it out if"
                        + " the response is for all.";
            case VARY -> "it has Vary: *. Have the origin name the headers that it depends on.";
            case LENGTH -> "its Content-Length is not that of its body. Correct it at the origin.";
            case STREAM ->
                "it is a stream, which may have no end: its Content-Type says so, or its handler writes on after a flush. Leave its address"
                        + " out of the groups.";
            case TOO_LARGE ->
                "its body is larger than max-body-size (" + options.maxBodySize()
                        + " bytes). Raise that, or leave its address out of the groups.";
            default -> null;
        };
    }
}

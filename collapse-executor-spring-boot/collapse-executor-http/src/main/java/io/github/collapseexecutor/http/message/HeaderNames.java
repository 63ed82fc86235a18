package io.github.collapseexecutor.http.message;

import io.github.collapseexecutor.core.InvalidOptionException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The request headers that the rules name, in lower case, and the check that a text is a header name.
 * Public for other packages of the library only.
 */
public final class HeaderNames {

    public static final String AUTHORIZATION = "authorization";

    /** H5: they say on whose behalf a request is made; {@code *} ends a prefix. */
    public static final List<String> CREDENTIALS = List.of(
            AUTHORIZATION,
            "cookie",
            "proxy-authorization",
            "x-forwarded-user",
            "x-forwarded-email",
            "x-forwarded-groups",
            "x-forwarded-preferred-username",
            "x-forwarded-access-token",
            "x-forwarded-client-cert",
            "x-forwarded-tls-client-cert*",
            "x-auth-request-*",
            "remote-user",
            "x-remote-user",
            "x-api-key",
            "x-auth-token",
            "x-amzn-oidc-*",
            "cf-access-jwt-assertion",
            "x-goog-iap-*",
            "x-goog-authenticated-user-*",
            "x-ms-client-principal*",
            "x-ssl-client-*");

    /** The credentials that are known by their whole names. */
    public static final List<String> COMMON_CREDENTIALS =
            CREDENTIALS.stream().filter(name -> !name.endsWith("*")).toList();

    /** H7 and H10: part of every key, whatever the policy and the ignored headers say. */
    public static final Set<String> ALWAYS_IN_KEY =
            Set.of("if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "idempotency-key");

    /** H4: they name one connection, message or trace, so that they tell nothing of a representation; {@code *} ends a prefix. */
    public static final List<String> OF_ONE_REQUEST = List.of(
            "connection",
            "keep-alive",
            "date",
            "via",
            "x-request-id",
            "x-correlation-id",
            "traceparent",
            "tracestate",
            "b3",
            "x-b3-*",
            "uber-trace-id",
            "sw8",
            // Spring's test clients number their requests.
            "webtestclient-request-id",
            "resttestclient-request-id",
            // Netty adds these to each request that comes over HTTP/2.
            "x-http2-stream-id",
            "x-http2-stream-weight",
            "x-http2-stream-dependency-id");

    /** H4: they name the host, which is in the key, the browser or the way, and not the representation. */
    private static final List<String> OF_ONE_CLIENT = List.of(
            "host",
            "user-agent",
            "referer",
            "dnt",
            "priority",
            "sec-*",
            "x-forwarded-for",
            "x-forwarded-by",
            "x-forwarded-server");

    /** Of these, what a page may show of its client: nobody else may get that by the fault of a handler that does not say so. */
    public static final HeaderPatterns SHOWN_OF_CLIENT = HeaderPatterns.of(
            OF_ONE_CLIENT.stream().filter(name -> !name.equals("host")).toList(), List.of());

    /** H4: those that a strict policy ignores. */
    public static final List<String> IGNORED =
            Stream.concat(OF_ONE_REQUEST.stream(), OF_ONE_CLIENT.stream()).toList();

    /** Common names of requests and responses in lower case, by the way they are usually written and in lower case. */
    private static final Map<String, String> COMMON = Stream.of(
                    "Accept",
                    "Accept-Charset",
                    "Accept-Encoding",
                    "Accept-Language",
                    "Accept-Ranges",
                    "Age",
                    "Allow",
                    "Authorization",
                    "Cache-Control",
                    "Connection",
                    "Content-Disposition",
                    "Content-Encoding",
                    "Content-Language",
                    "Content-Length",
                    "Content-Location",
                    "Content-Type",
                    "Cookie",
                    "Date",
                    "ETag",
                    "Expires",
                    "Forwarded",
                    "Host",
                    "If-Modified-Since",
                    "If-None-Match",
                    "Keep-Alive",
                    "Last-Modified",
                    "Link",
                    "Location",
                    "Origin",
                    "Pragma",
                    "Referer",
                    "Retry-After",
                    "Server",
                    "Set-Cookie",
                    "Strict-Transport-Security",
                    "Transfer-Encoding",
                    "User-Agent",
                    "Vary",
                    "Via",
                    "X-Forwarded-For",
                    "X-Forwarded-Host",
                    "X-Forwarded-Proto",
                    "X-Request-Id")
            .flatMap(name -> Stream.of(name, name.toLowerCase(Locale.ROOT)).distinct())
            .collect(Collectors.toUnmodifiableMap(name -> name, name -> name.toLowerCase(Locale.ROOT)));

    private static final String TOKEN_SYMBOLS = "!#$%&'*+-.^_`|~";

    private HeaderNames() {}

    /** Returns a name in lower case; of a common one always the same text, so that nothing is made and its hash is known. */
    static String lowerCase(String name) {
        String common = COMMON.get(name);
        return common == null ? name.toLowerCase(Locale.ROOT) : common;
    }

    public static String requireToken(String argument, String name) {
        if (!isToken(name)) {
            throw new InvalidOptionException(
                    argument,
                    "'" + name + "'",
                    "it must be the name of a header; allowed are letters, digits and " + TOKEN_SYMBOLS);
        }
        return name;
    }

    /**
     * Checks names that may end in {@code *}.
     *
     * @return the names in lower case
     */
    public static Set<String> requirePatterns(String argument, Collection<String> names) {
        Set<String> checked = new LinkedHashSet<>();
        for (String name : names) {
            String lower = requireToken(argument, name).toLowerCase(Locale.ROOT);
            int star = lower.indexOf('*');
            if (star == 0 || (star > 0 && star < lower.length() - 1)) {
                throw new InvalidOptionException(
                        argument, "'" + name + "'", "a '*' may only end a name, as in 'X-Trace-*'");
            }
            checked.add(lower);
        }
        return checked;
    }

    /** Checks the extension of {@link #IGNORED} against what always counts; returns it in lower case. */
    public static Set<String> requireIgnorable(
            String argument, Collection<String> names, Collection<String> furtherCredentials) {
        Set<String> checked = requirePatterns(argument, names);
        HeaderPatterns credentials = HeaderPatterns.credentials(furtherCredentials);
        for (String name : names) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (credentials.contain(lower) || ALWAYS_IN_KEY.contains(lower)) {
                throw new InvalidOptionException(
                        argument,
                        "'" + name + "'",
                        "it cannot be ignored; credentials, validators and Idempotency-Key always keep requests apart");
            }
        }
        return checked;
    }

    private static boolean isToken(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!alphanumeric && TOKEN_SYMBOLS.indexOf(c) < 0) {
                return false;
            }
        }
        return !name.isEmpty();
    }
}

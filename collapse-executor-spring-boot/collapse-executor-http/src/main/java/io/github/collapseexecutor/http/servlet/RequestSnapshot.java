package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.message.RequestTarget;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.UnsafeRequests;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a request as it arrived. The rules look at it on any thread and at any time, when the container may already use
 * the request object for somebody else.
 */
final class RequestSnapshot implements HttpRequestView {

    /** Where Spring's tests have what stands for a container. */
    static final String MOCKS = "org.springframework.mock.web.";

    static final String CLIENT_CERTIFICATE = "jakarta.servlet.request.X509Certificate";

    private static final String STARTED =
            "a filter in front has called startAsync before the handler runs, so that nobody sees when"
                    + " the handler has ended; call startAsync behind the collapsing filter, or leave these paths out of its groups";

    /** A path that a container may normalise, so that a dispatch to it could lead elsewhere. */
    private static final Pattern AMBIGUOUS = Pattern.compile("(?i)//|;|\\\\|%2f|%5c|%25|%2e|/\\.{1,2}(/|$)");

    /** What a handler may depend on, beside what always takes part and what the guide names. */
    private static final List<Function<HttpServletRequest, @Nullable Object>> REPLACEABLE = List.of(
            HttpServletRequest::getRequestURI,
            request -> request.getLocale().toLanguageTag(),
            request -> Collections.list(request.getLocales()),
            HttpServletRequest::getCharacterEncoding,
            HttpServletRequest::getContentType,
            HttpServletRequest::getAuthType,
            HttpServletRequest::getProtocol,
            HttpServletRequest::getLocalAddr);

    private static final ClassValue<Boolean> SIMULATED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type.getName().equals(MOCKS + "MockHttpServletRequest")
                    || (type.getSuperclass() != null && get(type.getSuperclass()));
        }
    };

    // immutable
    private final String method;
    private final URI uri;
    private final String receivedPath;
    private final String dispatchedPath;
    private final @Nullable String rewrittenPath;
    private final List<@Nullable String> dispatchedTo;
    private final @Nullable String clientAddress;
    private final Map<String, List<String>> headers;
    private final boolean hasBody;
    private final boolean started;
    private final boolean carriesCredentials;

    // mutable, written before the request is executed
    private @Nullable String session;
    // mutable; written by the thread that runs the handler
    private volatile boolean identifiesUser;

    private RequestSnapshot(
            HttpServletRequest request, HttpServletResponse response, URI uri, Predicate<String> credential) {
        this.method = request.getMethod();
        this.uri = uri;
        HttpServletRequest received = asReceived(request);
        this.receivedPath = received.getRequestURI();
        this.dispatchedTo = dispatchedTo(request, received, response);
        this.dispatchedPath = request.getServletContext().getContextPath()
                + Objects.requireNonNullElse(request.getServletPath(), "")
                + Objects.requireNonNullElse(request.getPathInfo(), "");
        this.rewrittenPath = replacedPath(request, received);
        this.clientAddress = request.getRemoteAddr();
        this.headers = headersOf(request);
        this.hasBody = hasBody(request);
        this.started = request.isAsyncStarted();
        this.carriesCredentials = headers.keySet().stream().anyMatch(credential);
        if (!carriesCredentials) { // to look for a session renews it, and may cost a call of the store that holds it
            lookAtUser(request);
        }
    }

    /**
     * The path by which Spring MVC, for one, finds a handler, if a filter has replaced it: from the server's own context path on, in the place of
     * which a proxy may have named another.
     */
    private static @Nullable String replacedPath(HttpServletRequest request, HttpServletRequest received) {
        if (request == received) {
            return null; // a container works the context path out anew each time
        }
        String path = pathInContext(request);
        return path.equals(pathInContext(received))
                ? null
                : request.getServletContext().getContextPath() + path;
    }

    private static String pathInContext(HttpServletRequest request) {
        String path = request.getRequestURI();
        String context = request.getContextPath();
        return path.startsWith(context) ? path.substring(context.length()) : path;
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0
                || request.getHeader("Transfer-Encoding") != null
                || (mayHideBody(request)
                        && (request.getContentType() != null || request.getHeader("Content-Encoding") != null));
    }

    /** Whether nothing but the body itself tells if there is one: HTTP/2 and HTTP/3 frame bodies of any length. */
    static boolean mayHideBody(HttpServletRequest request) {
        return request.getContentLengthLong() < 0 && !request.getProtocol().startsWith("HTTP/1.");
    }

    /** Notes which session the request has before its handler runs. */
    void noteSession(HttpServletRequest request) {
        session = sessionOf(request);
    }

    private static @Nullable String sessionOf(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session == null ? null : session.getId();
    }

    /** Whether the request has another session than when it arrived, so that its response names that to its client. */
    boolean hasAnotherSession(HttpServletRequest request) {
        return !Objects.equals(session, sessionOf(request));
    }

    /**
     * Copies a request.
     *
     * @param response its response as its handler would see it
     * @param credential tells by its name whether a header says on whose behalf the request is made
     * @return the copy, or null where the address is not one that a {@link URI} can express, or the container cannot read the
     *     parameters
     */
    static @Nullable RequestSnapshot of(
            HttpServletRequest request, HttpServletResponse response, Predicate<String> credential) {
        URI uri = uri(request);
        try {
            return uri == null ? null : new RequestSnapshot(request, response, uri, credential);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    /** Returns the address; null where a {@link URI} cannot express it. */
    static @Nullable URI uri(HttpServletRequest request) {
        String query = request.getQueryString();
        StringBuffer url = request.getRequestURL();
        return RequestTarget.uriOf(query == null ? url.toString() : url + "?" + query);
    }

    /** Returns the path on the wire. */
    static String receivedPath(HttpServletRequest request) {
        return asReceived(request).getRequestURI();
    }

    /**
     * Whether no container has made the request: MockMvc of Spring's tests does not go on with a request that was given back, nor does it
     * tell which filters stand where.
     */
    static boolean isSimulated(HttpServletRequest request) {
        return SIMULATED.get(asReceived(request).getClass());
    }

    /** The container's own request, which no filter has changed. */
    private static HttpServletRequest asReceived(HttpServletRequest request) {
        HttpServletRequest received = request;
        while (received instanceof HttpServletRequestWrapper wrapper
                && wrapper.getRequest() instanceof HttpServletRequest wrapped) {
            received = wrapped;
        }
        return received;
    }

    /**
     * Everything beside address and headers that a handler is found by, or that filters replace: they do it by wrapping the
     * request, so that what a wrapper says counts as well as what the client sent. A filter that wraps the response may hold back what
     * another client gets at once, so that what a handler does behind a flush comes too late for one of them only.
     */
    private static List<@Nullable String> dispatchedTo(
            HttpServletRequest request, HttpServletRequest received, HttpServletResponse response) {
        List<@Nullable String> parts = new ArrayList<>();
        parts.add(request.getContextPath());
        parts.add(request.getServletPath());
        parts.add(request.getPathInfo());
        parts.add(request.getScheme());
        parts.add(request.getServerName());
        parts.add(Integer.toString(request.getServerPort()));
        parts.add(Boolean.toString(request.isSecure()));
        ServletResponse shown = response;
        while (shown instanceof ServletResponseWrapper wrapper) {
            parts.add(wrapper.getClass().getName());
            shown = wrapper.getResponse();
        }
        // a client may name the host and port of another connector
        parts.add(Integer.toString(request.getLocalPort()));
        if (request != received) {
            addReplaced(request, received, parts);
        }
        return Collections.unmodifiableList(parts);
    }

    /** Adds what a wrapper has put in the place of what the client sent, be it the answer of a single method; one that changes nothing adds nothing. */
    private static void addReplaced(
            HttpServletRequest request, HttpServletRequest received, List<@Nullable String> parts) {
        for (int index = 0; index < REPLACEABLE.size(); index++) {
            Object present = REPLACEABLE.get(index).apply(request);
            if (!Objects.equals(present, REPLACEABLE.get(index).apply(received))) {
                parts.add(index + " is " + present);
            }
        }
        if (isReading(request)) { // the parameters of others may be in the body
            List<String> parameters = parametersOf(request);
            if (!parameters.equals(parametersOf(received))) {
                parts.addAll(parameters);
            }
        }
    }

    private static List<String> parametersOf(HttpServletRequest request) {
        List<String> parameters = new ArrayList<>(List.of("parameters"));
        Map<String, String[]> all = request.getParameterMap();
        Set<String> names = new LinkedHashSet<>(all.keySet());
        names.addAll(Collections.list(request.getParameterNames()));
        for (String name : names) {
            parameters.add(name);
            addAll(parameters, all.get(name));
            addAll(parameters, request.getParameterValues(name));
            parameters.add(String.valueOf(request.getParameter(name)));
        }
        return parameters;
    }

    /** Adds how many values there are before they come, so that no other values look alike. */
    private static void addAll(List<String> parameters, String @Nullable [] values) {
        parameters.add(values == null ? "none" : Integer.toString(values.length));
        if (values != null) {
            parameters.addAll(Arrays.asList(values));
        }
    }

    static boolean isReading(HttpServletRequest request) {
        return !UnsafeRequests.isUnsafe(request.getMethod());
    }

    /**
     * Copies the headers, and what a filter's wrapper answers for a credential without naming it among the headers: wrappers
     * often replace {@code getHeader} alone.
     */
    private static Map<String, List<String>> headersOf(HttpServletRequest request) {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            copy.put(name, valuesOf(request, name));
        }
        if (request instanceof HttpServletRequestWrapper) {
            for (String name : HttpCollapseOptions.commonCredentials()) {
                List<String> values = valuesOf(request, name);
                if (!values.isEmpty() && copy.keySet().stream().noneMatch(name::equalsIgnoreCase)) {
                    copy.put(name, values);
                }
            }
            addCookies(request, copy);
        }
        return copy;
    }

    /** Shows cookies that a wrapper has, and no header, as the header that they stand for. */
    private static void addCookies(HttpServletRequest request, Map<String, List<String>> headers) {
        Cookie[] cookies = request.getCookies();
        if (cookies != null && cookies.length > 0 && headers.keySet().stream().noneMatch("Cookie"::equalsIgnoreCase)) {
            headers.put(
                    "Cookie",
                    Arrays.stream(cookies)
                            .map(cookie -> cookie.getName() + "=" + cookie.getValue())
                            .toList());
        }
    }

    private static List<String> valuesOf(HttpServletRequest request, String name) {
        List<String> values = Collections.list(request.getHeaders(name));
        String first = request.getHeader(name);
        if (first != null && !values.contains(first)) {
            values.add(first);
        }
        return List.copyOf(values);
    }

    /** Whether the request lists a header. */
    boolean lists(String header) {
        for (String listed : headers.keySet()) {
            if (header.equalsIgnoreCase(listed)) {
                return true;
            }
        }
        return false;
    }

    /** Looks for a user again: a handler may have created a session, or logged a user in. */
    void lookAtUser(HttpServletRequest request) {
        identifiesUser = request.getUserPrincipal() != null
                || request.getRemoteUser() != null
                || request.getAttribute(CLIENT_CERTIFICATE) != null
                || sessionOf(request) != null
                || UserOfThread.isThere();
    }

    /** Whether the container finds the same handler again when the request is dispatched to where it is. */
    boolean canBeDispatched() {
        return !AMBIGUOUS
                        .matcher(Objects.requireNonNullElse(uri.getRawPath(), ""))
                        .find()
                && !AMBIGUOUS.matcher(receivedPath).find();
    }

    /** Whether anything says on whose behalf the request is made. */
    boolean isOfSomebody() {
        return identifiesUser || carriesCredentials;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public URI uri() {
        return uri;
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        headers.forEach(action);
    }

    @Override
    public boolean hasBody() {
        return hasBody;
    }

    @Override
    public boolean identifiesUser() {
        return identifiesUser;
    }

    @Override
    public @Nullable String obstacle() {
        return started ? STARTED : null;
    }

    @Override
    public String receivedPath() {
        return receivedPath;
    }

    @Override
    public String dispatchedPath() {
        return dispatchedPath;
    }

    @Override
    public @Nullable String rewrittenPath() {
        return rewrittenPath;
    }

    @Override
    public List<@Nullable String> dispatchedTo() {
        return dispatchedTo;
    }

    @Override
    public @Nullable String clientAddress() {
        return clientAddress;
    }
}

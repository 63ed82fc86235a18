package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.HttpRequestView;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a request as it arrived. The rules look at it on any thread and at any time, when the container may already use
 * the request object for somebody else.
 */
final class ArrivedRequest implements HttpRequestView {

    static final String CLIENT_CERTIFICATE = "jakarta.servlet.request.X509Certificate";

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    /** A path that a container may normalise, so that a dispatch to it could lead elsewhere. */
    private static final Pattern AMBIGUOUS = Pattern.compile("(?i)//|;|\\\\|%2f|%5c|%25|%2e|/\\.{1,2}(/|$)");

    // immutable
    private final String method;
    private final URI uri;
    private final String receivedPath;
    private final String dispatchedPath;
    private final List<@Nullable String> dispatchedTo;
    private final @Nullable String clientAddress;
    private final Map<String, List<String>> headers;
    private final boolean hasBody;
    private final Predicate<String> credential;

    // mutable; written by the thread that runs the handler
    private volatile boolean identifiesUser;

    private ArrivedRequest(HttpServletRequest request, URI uri, Predicate<String> credential) {
        this.method = request.getMethod();
        this.uri = uri;
        this.credential = credential;
        this.receivedPath = asReceived(request).getRequestURI();
        this.dispatchedTo = Arrays.asList(request.getContextPath(), request.getServletPath(), request.getPathInfo());
        this.dispatchedPath = request.getServletContext().getContextPath()
                + Objects.requireNonNullElse(request.getServletPath(), "")
                + Objects.requireNonNullElse(request.getPathInfo(), "");
        this.clientAddress = request.getRemoteAddr();
        this.headers = headersOf(request);
        this.hasBody = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        lookAtUser(request);
    }

    /**
     * Copies a request.
     *
     * @param credential tells by its name whether a header says on whose behalf the request is made
     * @return the copy, or null where the address is not one that a {@link URI} can express
     */
    static @Nullable ArrivedRequest of(HttpServletRequest request, Predicate<String> credential) {
        String query = request.getQueryString();
        StringBuffer url = request.getRequestURL();
        try {
            return new ArrivedRequest(request, new URI(query == null ? url.toString() : url + "?" + query), credential);
        } catch (URISyntaxException e) {
            return null;
        }
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

    static boolean isReading(HttpServletRequest request) {
        return READING.contains(request.getMethod());
    }

    private static Map<String, List<String>> headersOf(HttpServletRequest request) {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            copy.put(name, List.copyOf(Collections.list(request.getHeaders(name))));
        }
        return copy;
    }

    /** Looks who makes the request: a handler may have created a session, or logged somebody in. */
    void lookAtUser(HttpServletRequest request) {
        identifiesUser = request.getUserPrincipal() != null
                || request.getRemoteUser() != null
                || request.getAttribute(CLIENT_CERTIFICATE) != null
                || request.getSession(false) != null;
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
        return identifiesUser || headers.keySet().stream().anyMatch(credential);
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
    public String receivedPath() {
        return receivedPath;
    }

    @Override
    public String dispatchedPath() {
        return dispatchedPath;
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

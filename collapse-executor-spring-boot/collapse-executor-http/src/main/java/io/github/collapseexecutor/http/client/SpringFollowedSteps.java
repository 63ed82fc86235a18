package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.spring.HiddenField;
import io.github.collapseexecutor.http.spring.TransportSteps;
import java.lang.reflect.Field;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/**
 * The responses that a transport has acted upon by itself before it returned one: redirects, mostly (H42).
 *
 * <p>Spring's requests and responses do not tell them. So they are read from what these keep in private fields: the response, the
 * connection or the context of the HTTP library. Some libraries show each step with its header section, others only that there was one.
 */
final class SpringFollowedSteps {

    /** Finds the steps in an object of a library; each is in a class of its own, as its library may be absent. */
    @FunctionalInterface
    private interface Library {

        @Nullable List<HttpResponseView> stepsIn(Object kept, URI asked);
    }

    /** By the type of the field in which Spring keeps it. */
    private static final Map<String, Library> LIBRARIES = Map.of(
            "java.net.HttpURLConnection",
            (kept, asked) -> ofConnection((HttpURLConnection) kept, asked),
            "java.net.http.HttpResponse",
            (kept, asked) -> ofJdk((HttpResponse<?>) kept),
            "reactor.netty.http.client.HttpClientResponse",
            (kept, asked) -> TransportSteps.ofNetty(kept),
            "org.eclipse.jetty.client.Response",
            (kept, asked) -> TransportSteps.ofJetty(kept),
            "okhttp3.Response",
            (kept, asked) -> OfOkHttp.stepsIn(kept),
            "org.apache.hc.core5.http.protocol.HttpContext",
            (kept, asked) -> TransportSteps.ofApache(kept));

    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            return Stream.<Class<?>>iterate(type, present -> present != null, Class::getSuperclass)
                    .flatMap(declaring -> HiddenField.in(declaring).stream())
                    .filter(SpringFollowedSteps::shows)
                    .toList();
        }
    };

    private SpringFollowedSteps() {}

    private static boolean shows(Field field) {
        return LIBRARIES.containsKey(field.getType().getName())
                || ClientHttpResponse.class.isAssignableFrom(field.getType())
                || ClientHttpRequest.class.isAssignableFrom(field.getType());
    }

    /**
     * Returns the steps to a response, null if nothing shows whether there were any.
     *
     * @param request the request that was sent, null if it is not known
     * @param asked the address that it was sent to
     */
    static @Nullable List<HttpResponseView> to(
            ClientHttpResponse response, @Nullable ClientHttpRequest request, URI asked) {
        List<HttpResponseView> steps = shownBy(response, asked);
        return steps == null && request != null ? shownBy(request, asked) : steps;
    }

    private static @Nullable List<HttpResponseView> shownBy(Object owner, URI asked) {
        if (owner instanceof SpringCopiedResponse) {
            return List.of(); // of another collapsing adapter, which has looked at the steps
        }
        for (Field field : FIELDS.get(owner.getClass())) {
            Object kept = HiddenField.valueOf(field, owner);
            Library library = LIBRARIES.get(field.getType().getName());
            List<HttpResponseView> steps =
                    kept == null ? null : library == null ? shownBy(kept, asked) : library.stepsIn(kept, asked);
            if (steps != null) {
                return steps;
            }
        }
        return null;
    }

    /** A redirect to the address that was asked for is not seen; its response answers a request like that of every caller. */
    private static List<HttpResponseView> ofConnection(HttpURLConnection connection, URI asked) {
        try {
            boolean sameAddress =
                    connection.getURL().toExternalForm().equals(asked.toURL().toExternalForm());
            return TransportSteps.unknown(sameAddress ? 0 : 1);
        } catch (MalformedURLException | IllegalArgumentException sentByAnotherAddress) {
            return TransportSteps.unknown(1);
        }
    }

    private static List<HttpResponseView> ofJdk(HttpResponse<?> response) {
        List<HttpResponseView> steps = new ArrayList<>();
        Optional<? extends HttpResponse<?>> prior = response.previousResponse();
        while (prior.isPresent()) {
            HttpHeaders headers = prior.get().headers();
            steps.add(new TransportSteps.Step(
                    prior.get().statusCode(), headers.map().entrySet().stream().toList()));
            prior = prior.get().previousResponse();
        }
        return steps;
    }

    private static final class OfOkHttp {

        private OfOkHttp() {}

        static List<HttpResponseView> stepsIn(Object kept) {
            List<HttpResponseView> steps = new ArrayList<>();
            for (okhttp3.Response prior = ((okhttp3.Response) kept).priorResponse();
                    prior != null;
                    prior = prior.priorResponse()) {
                steps.add(new TransportSteps.Step(
                        prior.code(),
                        prior.headers().toMultimap().entrySet().stream().toList()));
            }
            return steps;
        }
    }
}

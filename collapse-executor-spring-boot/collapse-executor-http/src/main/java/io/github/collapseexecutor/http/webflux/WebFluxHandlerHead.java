package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.rules.HttpResponseView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.ErrorResponse;

/**
 * The head of a handler's response as the rules see it.
 *
 * @param status the status code
 * @param headers what the handler has said, and in any case what the body is and how long
 * @param isForLeaderOnly whether nobody else may have the response, whatever its headers say
 */
record WebFluxHandlerHead(int status, Map<String, List<String>> headers, boolean isForLeaderOnly)
        implements HttpResponseView {

    static WebFluxHandlerHead of(
            HeadDifference.Head after, HeadDifference change, @Nullable Throwable thrown, boolean forLeaderOnly) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        change.added().forEach(headers::put);
        change.replaced().forEach((name, values) -> {
            if (!values.isEmpty()) {
                headers.put(name, values);
            }
        });
        keep(HttpHeaders.CONTENT_TYPE, after, headers);
        keep(HttpHeaders.CONTENT_LENGTH, after, headers);
        if (!change.cookies().isEmpty()) {
            List<String> cookies = new ArrayList<>(headers.getOrDefault(HttpHeaders.SET_COOKIE, List.of()));
            change.cookies().forEach(cookie -> cookies.add(cookie.toString()));
            headers.put(HttpHeaders.SET_COOKIE, cookies);
        }
        if (thrown instanceof ErrorResponse error) {
            error.getHeaders().forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
        }
        return new WebFluxHandlerHead(
                thrown == null ? statusOf(after.status()) : statusOf(thrown),
                headers,
                forLeaderOnly || headers.keySet().stream().anyMatch(HttpHeaders.TRAILER::equalsIgnoreCase));
    }

    private static void keep(String name, HeadDifference.Head after, Map<String, List<String>> headers) {
        List<String> values = after.headers().get(name);
        if (values != null && headers.keySet().stream().noneMatch(name::equalsIgnoreCase)) {
            headers.put(name, values);
        }
    }

    /** The status that a response has; 200 if nobody has set one. */
    static int statusOf(@Nullable HttpStatusCode status) {
        return status == null ? HttpStatus.OK.value() : status.value();
    }

    /** The status of the error response that a failure becomes, as far as it says so. */
    static int statusOf(Throwable thrown) {
        return thrown instanceof ErrorResponse error
                ? error.getStatusCode().value()
                : HttpStatus.INTERNAL_SERVER_ERROR.value();
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        headers.forEach(action);
    }
}

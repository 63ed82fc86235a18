package io.github.collapseexecutor.http.client;

import java.lang.reflect.Field;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpResponse;

/**
 * A redirect that the transport has followed by itself. The key knows nothing of the second address, nor of the cookies for it, and the
 * head of the redirect, which may have been for one user only, is gone.
 *
 * <p>Spring's responses do not tell it. So it is read from what they keep: the connection of the JDK, or the response of the JDK's
 * client. Where that cannot be read, and for other transports, nothing is known.
 */
final class FollowedRedirect {

    /** What shows a redirect, or has a response within that does. */
    private static final List<Class<?>> SHOWING =
            List.of(HttpURLConnection.class, HttpResponse.class, ClientHttpResponse.class);

    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            return Stream.of(type.getDeclaredFields())
                    .filter(field -> SHOWING.contains(field.getType()) && isOpened(field))
                    .toList();
        }
    };

    private FollowedRedirect() {}

    private static boolean isOpened(Field field) {
        try {
            return field.trySetAccessible();
        } catch (RuntimeException closed) {
            return false;
        }
    }

    /** Whether a response is known to be that of another address than the one that was asked for. */
    static boolean hasLedTo(ClientHttpResponse response, URI asked) {
        for (Field field : FIELDS.get(response.getClass())) {
            if (isShownBy(valueOf(field, response), asked)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Object valueOf(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("A field that was opened is closed: " + field, e);
        }
    }

    private static boolean isShownBy(@Nullable Object kept, URI asked) {
        if (kept instanceof HttpURLConnection connection) {
            return isOfAnotherAddress(connection, asked);
        }
        if (kept instanceof HttpResponse<?> response) {
            return response.previousResponse().isPresent();
        }
        return kept instanceof ClientHttpResponse buffered && hasLedTo(buffered, asked);
    }

    private static boolean isOfAnotherAddress(HttpURLConnection connection, URI asked) {
        try {
            return !connection.getURL().toExternalForm().equals(asked.toURL().toExternalForm());
        } catch (MalformedURLException | IllegalArgumentException sentByAnotherAddress) {
            return true;
        }
    }
}

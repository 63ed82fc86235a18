package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.rules.ClientParts;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.AbstractClientHttpRequestFactoryWrapper;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;

/**
 * The way of a request behind a collapsing adapter: the client that sends it, and the interceptor, if any, that may still
 * change on whose behalf it is made.
 *
 * <p>Spring hands an interceptor an execution, and the execution does not tell where it leads to. This class reads it from
 * private fields, which are looked up once for each class of executions:
 *
 * <ul>
 *   <li>Spring 6.2 has one execution for the whole chain, an inner class of the request: {@code iterator} stands behind the
 *       present interceptor, the request has {@code requestFactory} and {@code interceptors}.
 *   <li>Spring 7.0 has an execution of its own for the end of the chain, with {@code requestFactory}, and before that one a
 *       lambda of {@link ClientHttpRequestInterceptor} for each interceptor, which captures it.
 * </ul>
 *
 * <p>Any other execution, and one whose fields cannot be read (a module that is not open, a native image), yields
 * {@link #UNKNOWN}: then the documented contract applies, one instance per client and last in the chain.
 *
 * @param client equal for requests that the same request factory sends; null if it is not known
 * @param obstacle the interceptor behind and the remedy, for the log; null if none is known
 */
record RequestPath(@Nullable Object client, @Nullable String obstacle) {

    static final RequestPath UNKNOWN = new RequestPath(null, null);

    private static final String SPRING = "org.springframework.http.client.InterceptingClientHttpRequest$";

    private static final ClassValue<Reader> READERS = new ClassValue<>() {
        @Override
        protected Reader computeValue(Class<?> type) {
            try {
                return readerOf(type);
            } catch (ReflectiveOperationException | RuntimeException notOpen) {
                return UNREADABLE;
            }
        }
    };

    private static final Reader UNREADABLE = (execution, self) -> UNKNOWN;

    /** Reads one class of executions. */
    private interface Reader {
        RequestPath read(ClientHttpRequestExecution execution, ClientHttpRequestInterceptor self)
                throws ReflectiveOperationException;
    }

    /**
     * Finds the way that a request will take.
     *
     * @param execution what Spring has handed to the interceptor
     * @param self the interceptor
     */
    static RequestPath behind(ClientHttpRequestExecution execution, ClientHttpRequestInterceptor self) {
        try {
            return READERS.get(execution.getClass()).read(execution, self);
        } catch (ReflectiveOperationException | ClassCastException otherThanExpected) {
            return UNKNOWN;
        }
    }

    /** Returns the path of requests that a request factory sends, all on behalf of one client. */
    static RequestPath through(ClientHttpRequestFactory requestFactory) {
        String obstacle = obstacleIn(requestFactory, true);
        return obstacle == null ? UNKNOWN : new RequestPath(null, obstacle);
    }

    /**
     * Returns what a request factory contains that may still change on whose behalf a request is made: interceptors, or a factory of the
     * application's that may ask another one for another address.
     *
     * @param showsAddress whether the adapter sees the address that is asked behind it
     */
    private static @Nullable String obstacleIn(@Nullable Object requestFactory, boolean showsAddress) {
        Object factory = requestFactory;
        while (factory != null) {
            if (factory instanceof InterceptingClientHttpRequestFactory) {
                return obstacle("a request factory with interceptors (InterceptingClientHttpRequestFactory)");
            }
            if (!showsAddress
                    && !isOfSpring(factory.getClass())
                    && !(factory instanceof CollapseClientHttpRequestFactory)) {
                return "the request factory " + nameOf(factory)
                        + " is behind the collapsing interceptor and may send a request to another address, or for another user,"
                        + " than it is asked to; give the client the request factory that CollapseHttpRequestInterceptor.requestFactory"
                        + " makes around it, which sees what is sent, in place of the interceptor";
            }
            factory = factory instanceof AbstractClientHttpRequestFactoryWrapper wrapper ? wrapper.getDelegate() : null;
        }
        return null;
    }

    /** Whether a factory is one of Spring's, or a subclass of one, such as to set up connections; not one that wraps another by itself. */
    private static boolean isOfSpring(Class<?> factory) {
        for (Class<?> type = factory; type != null; type = type.getSuperclass()) {
            if (type.getName().startsWith("org.springframework.")) {
                return type != AbstractClientHttpRequestFactoryWrapper.class;
            }
        }
        return false;
    }

    private static Reader readerOf(Class<?> type) throws ReflectiveOperationException {
        if (type.getName().equals(SPRING + "InterceptingRequestExecution")) {
            return chainReader(type);
        }
        if (type.getName().equals(SPRING + "EndOfChainRequestExecution")) {
            return endReader(type);
        }
        return type.isHidden() && type.getNestHost() == ClientHttpRequestInterceptor.class
                ? RequestPath::readLambda
                : UNREADABLE;
    }

    /** Spring 6.2. */
    private static Reader chainReader(Class<?> type) throws ReflectiveOperationException {
        Class<?> requestType = type.getEnclosingClass();
        Field iterator = open(type.getDeclaredField("iterator"));
        Field request = outer(type, requestType);
        Field requestFactory = open(requestType.getDeclaredField("requestFactory"));
        Field interceptors = open(requestType.getDeclaredField("interceptors"));
        return (execution, self) -> {
            Object present = request.get(execution);
            if (((Iterator<?>) iterator.get(execution)).hasNext()) {
                return obstructedBy(next((List<?>) interceptors.get(present), self));
            }
            Object factory = requestFactory.get(present);
            return new RequestPath(new ClientParts(Arrays.asList(factory)), obstacleIn(factory, false));
        };
    }

    private static @Nullable Object next(List<?> interceptors, ClientHttpRequestInterceptor self) {
        int next = interceptors.indexOf(self) + 1;
        return next > 0 && next < interceptors.size() ? interceptors.get(next) : null;
    }

    /** Spring 7.0, nothing behind; two clients of one factory may differ in whether they keep bodies for a second reading. */
    private static Reader endReader(Class<?> type) throws ReflectiveOperationException {
        Class<?> requestType = type.getEnclosingClass();
        Field request = outer(type, requestType);
        Field requestFactory = open(type.getDeclaredField("requestFactory"));
        Field buffering = open(requestType.getDeclaredField("bufferingPredicate"));
        return (execution, self) -> {
            Object factory = requestFactory.get(execution);
            Object kept = buffering.get(request.get(execution));
            return new RequestPath(new ClientParts(Arrays.asList(factory, kept)), obstacleIn(factory, false));
        };
    }

    /** Spring 7.0, an interceptor behind; its class is for the log only, so that it does no harm if it cannot be read. */
    private static RequestPath readLambda(ClientHttpRequestExecution execution, ClientHttpRequestInterceptor self) {
        for (Field captured : execution.getClass().getDeclaredFields()) {
            if (captured.getType() == ClientHttpRequestInterceptor.class) {
                try {
                    return obstructedBy(open(captured).get(execution));
                } catch (IllegalAccessException | RuntimeException notOpen) {
                    break;
                }
            }
        }
        return obstructedBy(null);
    }

    private static Field outer(Class<?> type, Class<?> outerType) throws NoSuchFieldException {
        for (Field field : type.getDeclaredFields()) {
            if (field.isSynthetic() && field.getType() == outerType) {
                return open(field);
            }
        }
        throw new NoSuchFieldException(type.getName());
    }

    private static Field open(Field field) {
        field.setAccessible(true);
        return field;
    }

    private static RequestPath obstructedBy(@Nullable Object interceptor) {
        return new RequestPath(
                null, obstacle(interceptor == null ? "another interceptor" : "the interceptor " + nameOf(interceptor)));
    }

    /** The class without the number that makes the name of a lambda's class unique. */
    private static String nameOf(Object interceptor) {
        String name = interceptor.getClass().getName();
        int number = name.indexOf('/');
        return number < 0 ? name : name.substring(0, number);
    }

    private static String obstacle(String behind) {
        return behind + " is behind the collapsing one and may change on whose behalf a request is made; "
                + "add CollapseHttpRequestInterceptor as the last interceptor of the client, or give the client a "
                + "CollapseClientHttpRequestFactory, which is below all interceptors";
    }
}

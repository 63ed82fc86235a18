package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.http.rules.ClientParts;
import io.github.collapseexecutor.http.spring.HiddenField;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiPredicate;
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
 * <p>Spring hands an interceptor an execution, and the execution does not tell where it leads to. This class reads it from {@linkplain HiddenField
 * private fields}:
 *
 * <ul>
 *   <li>Spring 6.2 has one execution for the whole chain, an inner class of the request: its iterator stands behind the present interceptor, and
 *       the request has the request factory and all interceptors.
 *   <li>Spring 7.0 has an execution of its own for the end of the chain, with the request factory, and before that one a lambda of
 *       {@link ClientHttpRequestInterceptor} for each interceptor, which captures it.
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

    private static final String REQUEST = "org.springframework.http.client.InterceptingClientHttpRequest";
    private static final String CHAIN = REQUEST + "$InterceptingRequestExecution";
    private static final String END_OF_CHAIN = REQUEST + "$EndOfChainRequestExecution";

    /**
     * Finds the way that a request will take.
     *
     * @param execution what Spring has handed to the interceptor
     * @param self the interceptor
     */
    static RequestPath behind(ClientHttpRequestExecution execution, ClientHttpRequestInterceptor self) {
        Class<?> type = execution.getClass();
        if (type.getName().equals(CHAIN)) {
            return inChain(execution, self);
        }
        if (type.getName().equals(END_OF_CHAIN)) {
            return atEnd(execution);
        }
        return type.isHidden() && type.getNestHost() == ClientHttpRequestInterceptor.class
                ? obstructedBy(HiddenField.valueIn(execution, ClientHttpRequestInterceptor.class))
                : UNKNOWN;
    }

    /** Spring 6.2. */
    private static RequestPath inChain(ClientHttpRequestExecution execution, ClientHttpRequestInterceptor self) {
        Object request = HiddenField.valueIn(execution, REQUEST);
        Iterator<?> behind = HiddenField.valueIn(execution, Iterator.class);
        if (request == null || behind == null) {
            return UNKNOWN;
        }
        return behind.hasNext()
                ? obstructedBy(next(HiddenField.valueIn(request, List.class), self))
                : sentBy(HiddenField.valueIn(request, ClientHttpRequestFactory.class), null);
    }

    private static @Nullable Object next(@Nullable List<?> interceptors, ClientHttpRequestInterceptor self) {
        if (interceptors == null) {
            return null;
        }
        int next = interceptors.indexOf(self) + 1;
        return next > 0 && next < interceptors.size() ? interceptors.get(next) : null;
    }

    /** Spring 7.0, nothing behind; two clients of one factory may differ in whether they keep bodies for a second reading. */
    private static RequestPath atEnd(ClientHttpRequestExecution execution) {
        Object request = HiddenField.valueIn(execution, REQUEST);
        Object kept = request == null ? null : HiddenField.valueIn(request, BiPredicate.class);
        return kept == null ? UNKNOWN : sentBy(HiddenField.valueIn(execution, ClientHttpRequestFactory.class), kept);
    }

    private static RequestPath sentBy(@Nullable Object factory, @Nullable Object kept) {
        return factory == null
                ? UNKNOWN
                : new RequestPath(new ClientParts(Arrays.asList(factory, kept)), obstacleIn(factory, false));
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

package io.github.collapseexecutor.spring.annotation.method;

import java.lang.reflect.Method;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Functions of Kotlin that suspend. Spring shows them to interceptors as methods that return a Mono, whose last argument is the
 * continuation of the caller; it needs kotlinx-coroutines-reactor for that.
 */
final class SuspendingCalls {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";
    /** Whether Spring can show such methods to interceptors. */
    static final boolean REACTOR =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", SuspendingCalls.class.getClassLoader());

    private SuspendingCalls() {}

    /** Whether a method looks as a function that suspends does when it is compiled. */
    static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    /** Whether Kotlin has compiled the class of such a method; Spring 6 asks that itself, Spring 7 does not. */
    static boolean isOfKotlin(Method method) {
        return KotlinDetector.isKotlinType(method.getDeclaringClass()) && KotlinDetector.isSuspendingFunction(method);
    }

    /** What such a method returns to its caller: the type of the values that its continuation takes. */
    static ResolvableType answer(ResolvableType continuation) {
        ResolvableType taken = continuation.getGeneric(0);
        return taken.getType() instanceof WildcardType wildcard && wildcard.getLowerBounds().length == 1
                ? ResolvableType.forType(wildcard.getLowerBounds()[0], continuation)
                : taken;
    }

    /** The arguments that the source names. */
    static @Nullable Object[] arguments(boolean suspending, @Nullable Object[] arguments) {
        return suspending ? Arrays.copyOf(arguments, arguments.length - 1) : arguments;
    }

    /**
     * What the coroutine of a call has in its context and a method might look at, with equals: the elements of the application, and
     * thread-locals. How the coroutine runs does not count, and its Reactor context is looked at elsewhere.
     */
    static Map<?, ?> contextOf(boolean suspending, @Nullable Object[] arguments) {
        return suspending ? Contexts.elements(arguments[arguments.length - 1]) : Map.of();
    }

    /** Apart, so that the other class loads without Kotlin. */
    private static final class Contexts {

        private static final Set<String> OF_THE_RUN = Set.of(
                "kotlin.coroutines.ContinuationInterceptor$Key",
                "kotlinx.coroutines.CoroutineDispatcher$Key",
                "kotlinx.coroutines.CoroutineExceptionHandler$Key",
                "kotlinx.coroutines.CoroutineId$Key",
                "kotlinx.coroutines.CoroutineName$Key",
                "kotlinx.coroutines.Job$Key",
                "kotlinx.coroutines.UndispatchedMarker",
                "kotlinx.coroutines.reactor.ReactorContext$Key");

        static Map<?, ?> elements(@Nullable Object continuation) {
            Map<CoroutineContext.Key<?>, CoroutineContext.Element> elements = new HashMap<>();
            if (continuation instanceof Continuation<?> caller) {
                Object unused = caller.getContext().fold(elements, (found, element) -> {
                    if (!OF_THE_RUN.contains(element.getKey().getClass().getName())) {
                        found.put(element.getKey(), element);
                    }
                    return found;
                });
            }
            return elements;
        }
    }
}

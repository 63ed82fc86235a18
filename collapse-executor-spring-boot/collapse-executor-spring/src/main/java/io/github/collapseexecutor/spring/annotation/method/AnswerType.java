package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.key.KeyForms;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * How a method hands over its answer.
 *
 * @param kind at once, by a future, or by a Mono, as which functions that suspend are shown to interceptors
 * @param value the answer itself
 */
record AnswerType(Kind kind, ResolvableType value) {

    /** How an answer arrives. */
    enum Kind {
        PLAIN,
        FUTURE,
        MONO
    }

    private static final String MONO = "reactor.core.publisher.Mono";
    private static final Set<String> NOTHING = Set.of("void", "java.lang.Void", "kotlin.Unit");
    /** What Spring MVC completes or writes for one request; and what may be read once only. By name, because most may be absent. */
    private static final Set<String> FOR_ONE_CALLER = Set.of(
            "java.util.Enumeration",
            "kotlin.sequences.Sequence",
            "org.springframework.core.io.InputStreamResource",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /** Classes with one content, which is their first type argument. */
    private static final Set<String> HOLDERS = Set.of("java.util.Optional", "org.springframework.http.HttpEntity");

    private static final String WHOLE =
            "Return the whole answer, for example a List, or a CompletableFuture or Mono of it.";

    /** Reads the type of a method's answer, and refuses one that cannot be shared. */
    static AnswerType of(AnnotatedMethod method) {
        if (method.isSuspending()) {
            checkSuspending(method);
        }
        ResolvableType returned = method.returnType();
        Class<?> type = returned.resolve(Object.class);
        AnswerType answer;
        if (method.isSuspending()) {
            answer = new AnswerType(Kind.MONO, returned);
        } else if (type == CompletionStage.class || type == CompletableFuture.class) {
            answer = new AnswerType(Kind.FUTURE, returned.getGeneric(0));
        } else if (type.getName().equals(MONO)) {
            answer = new AnswerType(Kind.MONO, returned.getGeneric(0));
        } else {
            answer = new AnswerType(Kind.PLAIN, returned);
        }
        if (NOTHING.contains(answer.value().resolve(Object.class).getName())) {
            throw method.refused(
                    "it returns nothing, so there is no answer to share, and a call with an effect must not be left out",
                    "Remove the annotation, or return an answer.");
        }
        Class<?> forOne = forOneCaller(answer.value());
        if (forOne != null) {
            throw method.refused("only one caller can use what it returns, a " + forOne.getSimpleName(), WHOLE);
        }
        return answer;
    }

    /** Spring shows a function that suspends as a Mono if its class is one of Kotlin; a method of Java that looks like one stays as it is. */
    private static void checkSuspending(AnnotatedMethod method) {
        if (!SuspendingCalls.isOfKotlin(method.method())) {
            throw method.refused(
                    "its last parameter is a Continuation, as of a suspend function, but its class is not one of Kotlin",
                    "Write it in Kotlin as a suspend function, or return a CompletableFuture or a Mono.");
        }
        if (!SuspendingCalls.REACTOR) {
            throw method.refused(
                    "it is a suspend function of Kotlin, and kotlinx-coroutines-reactor is not on the class path",
                    "Add it, with kotlin-reflect, or return a CompletableFuture or a Mono.");
        }
    }

    boolean isOptional() {
        return value.resolve(Object.class) == Optional.class;
    }

    /** The answer, out of its Optional. */
    ResolvableType element() {
        return isOptional() ? value.getGeneric(0) : value;
    }

    /** What only one caller can use: the answer, or what it holds as its only content; null if there is nothing of the kind. */
    private static @Nullable Class<?> forOneCaller(ResolvableType answer) {
        ResolvableType part = answer;
        for (int depth = 0; depth < KeyForms.DEEPEST; depth++) {
            Class<?> type = part.resolve(Object.class);
            if (isReadOnce(type)) {
                return type;
            }
            Class<?> holder = superclass(type, HOLDERS);
            if (holder == null) {
                return null;
            }
            part = part.as(holder).getGeneric(0);
        }
        return null;
    }

    /** The first of a class and its superclasses that has one of the names; null if none has. */
    private static @Nullable Class<?> superclass(Class<?> type, Set<String> names) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (names.contains(each.getName())) {
                return each;
            }
        }
        return null;
    }

    private static boolean isReadOnce(Class<?> type) {
        return BaseStream.class.isAssignableFrom(type)
                || Iterator.class.isAssignableFrom(type)
                || AutoCloseable.class.isAssignableFrom(type)
                || Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || superclass(type, FOR_ONE_CALLER) != null
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(each -> FOR_ONE_CALLER.contains(each.getName()))
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }
}

package io.github.collapseexecutor.spring.annotation;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

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
    private static final String WHOLE =
            "Return the whole answer, for example a List, or a CompletableFuture or Mono of it.";

    /** Reads the type of a method's answer, and refuses one that cannot be shared. */
    static AnswerType of(AnnotatedMethod method) {
        if (method.isSuspending() && !SuspendingCalls.isSupported(method.method())) {
            throw method.refused(
                    "it is a suspend function of Kotlin, and kotlinx-coroutines-reactor is not on the class path",
                    "Add it, with kotlin-reflect, or return a CompletableFuture or a Mono.");
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
        Class<?> value = answer.value().resolve(Object.class);
        if (isReadOnce(value)) {
            throw method.refused("only one caller can use what it returns, a " + value.getSimpleName(), WHOLE);
        }
        return answer;
    }

    private static boolean isReadOnce(Class<?> type) {
        return BaseStream.class.isAssignableFrom(type)
                || Iterator.class.isAssignableFrom(type)
                || AutoCloseable.class.isAssignableFrom(type)
                || Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }
}

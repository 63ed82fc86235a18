package io.github.collapseexecutor.spring.annotation.method;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.spring.annotation.key.SecurityUser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Collapses methods that return a Mono, when this is subscribed to. The Reactor context of the subscriber tells callers apart as the
 * thread does elsewhere: its user, and every other entry, because a method might look at it. Only the observation, which is another
 * one for each request, and what becomes of values that nobody takes do not count. Where users share, nothing of that context counts.
 */
final class MonoCalls {

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.core.context.ReactiveSecurityContextHolder",
            MonoCalls.class.getClassLoader());

    private static final String SECURITY_KEY = "org.springframework.security.core.context.SecurityContext";
    private static final String TRANSACTION_KEY = "org.springframework.transaction.reactive.TransactionContextHolder";
    private static final String EXCHANGE_KEY = "org.springframework.web.server.ServerWebExchange";
    /** The observation, and what WebFlux and others write there to release buffers that nobody takes: a method looks at none of it. */
    private static final Set<String> OF_THE_RUN = Set.of(
            "micrometer.observation",
            "reactor.onDiscard.local",
            "reactor.onErrorDropped.local",
            "reactor.onNextDropped.local");

    private MonoCalls() {}

    /**
     * Returns a Mono that makes a call when it is subscribed to.
     *
     * @param rules the method's
     * @param own makes the caller's own call
     * @param collapsed makes or joins the shared call, given what tells subscribers apart and their context
     */
    static Mono<Object> call(CallRules rules, Callable<@Nullable Object> own, Collapsed collapsed) {
        return Mono.deferContextual(context -> {
            if (isInTransaction(context)) {
                rules.passInTransaction();
                return made(own);
            }
            rules.outsideOfTransaction();
            return identity(rules, context).flatMap(identity -> {
                try {
                    return Mono.fromFuture(collapsed.call(identity, context));
                } catch (ExecutorClosedException closed) { // the context has ended
                    return made(own);
                }
            });
        });
    }

    /**
     * What tells subscribers apart.
     *
     * @param user what tells the callers of threads apart
     * @param elements what the coroutine of the caller has in its context
     * @param context what the subscriber has in its Reactor context
     */
    static Object identity(Object user, Object elements, Object context) {
        return List.of(user, elements, context);
    }

    /** Makes or joins a call. */
    interface Collapsed {
        CompletableFuture<@Nullable Object> call(Object identity, ContextView context);
    }

    /** Subscribes to what a method returned, in the context of the subscriber on whose behalf it was called. */
    static CompletableFuture<Object> future(@Nullable Object returned, @Nullable Object context) {
        Mono<Object> answer = mono(requireNonNull(returned, "the method returned null in place of a Mono or Flux"));
        return answer.contextWrite((ContextView) requireNonNull(context, "context"))
                .toFuture();
    }

    private static Mono<Object> made(Callable<@Nullable Object> own) {
        return Mono.defer(() -> {
            try {
                return mono(requireNonNull(own.call(), "the method returned null in place of a Mono"));
            } catch (Exception failure) {
                return Mono.error(failure);
            }
        });
    }

    @SuppressWarnings("unchecked") // what a method returns as Mono<T> or Flux<T> is handed on as T
    private static Mono<Object> mono(Object returned) {
        return returned instanceof Flux<?> many ? (Mono<Object>) (Mono<?>) many.collectList() : (Mono<Object>) returned;
    }

    private static boolean isInTransaction(ContextView context) {
        return context.stream().anyMatch(entry -> isClass(entry.getKey(), TRANSACTION_KEY));
    }

    private static Mono<Object> identity(CallRules rules, ContextView context) {
        if (rules.acrossUsers()) {
            return Mono.just(List.of());
        }
        Map<Object, Object> entries = new HashMap<>();
        context.stream()
                .filter(entry -> !isOfTheRun(entry.getKey()) && !isClass(entry.getKey(), SECURITY_KEY))
                .forEach(entry -> {
                    entries.put(entry.getKey(), entry.getValue());
                    if (isClass(entry.getKey(), EXCHANGE_KEY)) {
                        rules.callerHasExchange();
                    } else {
                        rules.callerHas(entry.getValue());
                    }
                });
        Mono<Optional<Object>> user = SECURITY ? Users.current() : Mono.just(Optional.empty());
        return user.map(present -> List.of(entries, present));
    }

    private static boolean isOfTheRun(Object key) {
        return key instanceof String name && OF_THE_RUN.contains(name);
    }

    private static boolean isClass(Object key, String name) {
        return key instanceof Class<?> type && type.getName().equals(name);
    }

    /** Apart, so that the other class loads without Spring Security. */
    private static final class Users {

        static Mono<Optional<Object>> current() {
            Function<SecurityContext, Optional<Object>> user =
                    present -> Optional.ofNullable(SecurityUser.of(present.getAuthentication()));
            return ReactiveSecurityContextHolder.getContext().map(user).defaultIfEmpty(Optional.empty());
        }
    }
}

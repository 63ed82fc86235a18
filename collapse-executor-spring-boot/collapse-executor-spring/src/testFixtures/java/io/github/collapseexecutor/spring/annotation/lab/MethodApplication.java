package io.github.collapseexecutor.spring.annotation.lab;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.spring.annotation.CallInTransaction;
import io.github.collapseexecutor.spring.annotation.CollapsingSettings;
import io.github.collapseexecutor.spring.annotation.config.EnableCollapsing;
import io.github.collapseexecutor.spring.annotation.lab.MethodBackend.Scoped;
import io.github.collapseexecutor.spring.annotation.lab.MethodBackend.Sight;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Aspect;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Kind;
import jakarta.validation.Validation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.context.i18n.SimpleTimeZoneAwareLocaleContext;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.task.DelegatingSecurityContextAsyncTaskExecutor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** The application of a set-up, with collapsing or without. */
final class MethodApplication implements AutoCloseable {

    @Configuration(proxyBeanMethods = false)
    @EnableCollapsing
    static class Collapsing {}

    // immutable
    private final MethodSetup setup;
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final MethodBackend backend;
    private final Object bean;
    private final Method method;

    /**
     * Starts it.
     *
     * @param type the class of {@link MethodSource}
     */
    MethodApplication(MethodSetup setup, Class<?> type, boolean collapsing, ExecutorService pool) {
        this.setup = setup;
        this.backend = new MethodBackend(
                setup.sights(),
                setup.isUnreliable(),
                pool,
                setup.inPool(),
                () -> context.getBean(Scoped.class).value());
        context.setClassLoader(type.getClassLoader());
        context.getBeanFactory().registerScope("request", new SimpleThreadScope());
        context.registerBean(MethodBackend.class, () -> backend);
        context.registerBean("transactionManager", PlatformTransactionManager.class, LabTransactions::new);
        AsyncTaskExecutor tasks = new TaskExecutorAdapter(pool);
        context.registerBean(
                "taskExecutor",
                TaskExecutor.class,
                () -> setup.inPool() ? tasks : new DelegatingSecurityContextAsyncTaskExecutor(tasks));
        if (setup.has(Aspect.CACHE)) {
            context.registerBean(CacheManager.class, () -> new ConcurrentMapCacheManager());
        }
        if (setup.has(Aspect.VALIDATION)) {
            context.registerBean(MethodValidationPostProcessor.class, this::validation);
        }
        if (collapsing) {
            context.register(Collapsing.class);
            context.registerBean(CollapsingSettings.class, () -> settings(setup));
        }
        context.register(nested(type, "Config"));
        try {
            context.refresh();
            this.bean = context.getBean("service");
            this.method = method(type);
        } catch (RuntimeException | Error failure) {
            context.close();
            throw failure;
        }
    }

    private static CollapsingSettings settings(MethodSetup setup) {
        return new CollapsingSettings(
                CollapseOptions.builder().joinMode(setup.join()).build(), CallInTransaction.PASS);
    }

    private MethodValidationPostProcessor validation() {
        MethodValidationPostProcessor processor = new MethodValidationPostProcessor();
        processor.setProxyTargetClass(setup.classProxies());
        processor.setBeforeExistingAdvisors(setup.validatesFirst());
        processor.setValidator(Validation.byDefaultProvider()
                .configure()
                .messageInterpolator(new ParameterMessageInterpolator())
                .buildValidatorFactory()
                .getValidator());
        return processor;
    }

    private static Class<?> nested(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredClasses())
                .filter(nested -> nested.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The method as a caller finds it, who knows the interface or the class. */
    private Method method(Class<?> type) {
        boolean byInterface =
                Proxy.isProxyClass(bean.getClass()) || (setup.shape().hasInterface() && setup.seed() % 2 == 0);
        return Arrays.stream(nested(type, byInterface ? "Api" : "Service").getMethods())
                .filter(found -> found.getName().equals("find") && !found.isBridge())
                .findFirst()
                .orElseThrow();
    }

    MethodBackend backend() {
        return backend;
    }

    /** Makes a call, as its caller. */
    MethodOutcome ask(MethodCall call) {
        Authentication user = call.user() == null
                ? null
                : new TestingAuthenticationToken(
                        call.user(), "", call.user().equals("eve") ? List.of() : authorities());
        LocaleContext locale = new SimpleTimeZoneAwareLocaleContext(
                call.language() == null ? null : Locale.forLanguageTag(call.language()),
                call.zone() == null ? null : TimeZone.getTimeZone(call.zone()));
        SecurityContextHolder.setContext(new SecurityContextImpl(user));
        LocaleContextHolder.setLocaleContext(locale);
        MethodBackend.TENANT.set(call.tenant());
        if (setup.sights().contains(Sight.SCOPED)) {
            context.getBean(Scoped.class).set(call.user() + " of " + call.tenant());
        }
        long written = backend.write();
        PlatformTransactionManager transactions = context.getBean(PlatformTransactionManager.class);
        var transaction = call.inTransaction() ? transactions.getTransaction(new DefaultTransactionDefinition()) : null;
        MethodOutcome outcome;
        try {
            outcome = MethodOutcome.of(() -> answer(call, user), written);
        } finally {
            if (transaction != null) {
                transactions.rollback(transaction);
            }
        }
        List<String> left = new ArrayList<>();
        leaves(SecurityContextHolder.getContext().getAuthentication() != user, "a user", left);
        leaves(LocaleContextHolder.getLocaleContext() != locale, "a language", left);
        leaves(!MethodBackend.TENANT.get().equals(call.tenant()), "a tenant", left);
        leaves(!TransactionSynchronizationManager.getResourceMap().isEmpty(), "a resource", left);
        leaves(TransactionSynchronizationManager.isActualTransactionActive(), "a transaction", left);
        leaves(Thread.interrupted(), "an interruption", left);
        SecurityContextHolder.clearContext();
        LocaleContextHolder.resetLocaleContext();
        return left.isEmpty() ? outcome : new MethodOutcome(outcome.text() + " and leaves " + left, written, written);
    }

    private static void leaves(boolean present, String what, List<String> left) {
        if (present) {
            left.add(what);
        }
    }

    private static List<org.springframework.security.core.GrantedAuthority> authorities() {
        return org.springframework.security.core.authority.AuthorityUtils.createAuthorityList("READ");
    }

    private @Nullable Object answer(MethodCall call, @Nullable Authentication user) throws Throwable {
        Object returned;
        try {
            returned = method.invoke(bean, argument(call), call.other());
        } catch (InvocationTargetException failure) {
            throw requireNonNull(failure.getCause());
        }
        if (returned instanceof CompletionStage<?> stage) {
            try {
                return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
            } catch (ExecutionException failure) {
                throw requireNonNull(failure.getCause());
            }
        }
        if (returned instanceof Mono<?> mono) {
            Mono<?> inContext = inContext(mono);
            Mono<?> ofUser = user == null
                    ? inContext
                    : inContext.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user));
            try {
                return ofUser.toFuture().get(60, TimeUnit.SECONDS);
            } catch (ExecutionException failure) {
                throw Exceptions.unwrap(requireNonNull(failure.getCause()));
            }
        }
        return returned;
    }

    private Mono<?> inContext(Mono<?> mono) {
        return switch (setup.entry()) {
            case NONE -> mono;
            case TEXT -> mono.contextWrite(context -> context.put("entry", "text"));
            case OBJECT -> mono.contextWrite(context -> context.put("entry", new Scoped()));
            case DISCARD -> mono.doOnDiscard(Object.class, unused -> {});
        };
    }

    private Object argument(MethodCall call) {
        int number = call.item();
        if (setup.kind() != Kind.MANY) {
            return item(number);
        }
        int second = "y".equals(call.other()) ? number : 1 + number % 4;
        return List.of(item(number), item(second), item(number));
    }

    private Object item(int number) {
        return switch (setup.item()) {
            case LONG, PRIMITIVE -> (long) number;
            case TEXT -> "item " + number;
            case RECORD -> new MethodBackend.Key(number);
            case ENUM -> MethodBackend.Letter.valueOf(String.valueOf("ABCD".charAt(number - 1)));
            case UUID -> new UUID(0, number);
        };
    }

    /** Makes the same call on several threads at once, and returns how many executions there were. */
    int executionsOf(List<Callable<MethodOutcome>> calls, ExecutorService threads) throws Exception {
        int before = backend.executions();
        for (var made : threads.invokeAll(calls, 60, TimeUnit.SECONDS)) {
            String text = made.get().text();
            if (text.contains("and leaves")) {
                throw new AssertionError(text);
            }
        }
        return backend.executions() - before;
    }

    @Override
    public void close() {
        context.close();
    }
}

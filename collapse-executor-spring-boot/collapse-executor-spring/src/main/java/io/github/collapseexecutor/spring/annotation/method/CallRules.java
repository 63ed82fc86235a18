package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.CallInTransaction;
import io.github.collapseexecutor.spring.annotation.CollapsedCallException;
import io.github.collapseexecutor.spring.annotation.caller.CallerIdentities;
import io.github.collapseexecutor.spring.annotation.caller.CallerThread;
import io.github.collapseexecutor.spring.annotation.key.ArgumentEquality;
import io.github.collapseexecutor.spring.annotation.key.CallKey;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** What holds for a call of an annotated method, whichever annotation it has: users, transactions, arguments and failed waits. */
final class CallRules {

    private static final Log logger = LogFactory.getLog(CallRules.class);

    private static final String PASSING =
            "Call it outside of the transaction, or set collapse.executor.annotations.in-transaction "
                    + "(CollapsingSettings.inTransaction) to pass: such calls are then not collapsed.";

    /** After so many calls, each of them inside a transaction, the annotation seems to be in the wrong place. */
    static final int ENOUGH_IN_TRANSACTION = 100;

    private static final int MOST_UNCOMPARED = 20;
    private static final WeakReference<Object> TOLD = new WeakReference<>(null);

    // immutable
    private final AnnotatedMethod method;
    private final AnnotatedExecutors executors;
    private final CallerIdentities identities;
    private final String executor;
    private final AtomicBoolean paused;
    private final boolean acrossUsers;
    private final boolean suspending;
    private final boolean answersByMono;

    // mutable, thread-safe
    /** The first object of each class without equals that the context of a caller had; {@code TOLD} once that was said. */
    private final ConcurrentMap<Class<?>, WeakReference<Object>> uncompared = new ConcurrentHashMap<>();

    private final AtomicBoolean sessionTold = new AtomicBoolean();
    private final AtomicBoolean exchangeTold = new AtomicBoolean();
    /** Calls inside a transaction; at least enough of them once one call was outside of any, or somebody was told. */
    private final AtomicInteger onlyInTransaction = new AtomicInteger();
    /** Null until all beans are there. */
    private final AtomicReference<@Nullable Boolean> unseen = new AtomicReference<>();

    CallRules(
            AnnotatedMethod method,
            AnnotatedExecutors executors,
            CallerIdentities identities,
            String executor,
            boolean acrossUsers) {
        this.method = method;
        this.executors = executors;
        this.identities = identities;
        this.executor = executor;
        this.paused = executors.pauseOf(executor);
        this.acrossUsers = acrossUsers;
        this.suspending = method.isSuspending();
        this.answersByMono = AnswerType.of(method).kind() == AnswerType.Kind.MONO;
    }

    boolean acrossUsers() {
        return acrossUsers;
    }

    /**
     * Whether a call is not to be collapsed: its executor is paused, its method may look at what cannot be seen of a caller, or its thread has
     * a transaction.
     */
    boolean passes() {
        if (paused.get()) {
            executors.passed(executor);
            return true;
        }
        if (isUnseen()) {
            return true;
        }
        if (!CallTransaction.isPresent()) {
            if (!answersByMono) { // its transaction is that of each subscriber
                outsideOfTransaction();
            }
            return false;
        }
        passInTransaction();
        if (CallTransaction.isSessionOnly() && isFirst(sessionTold)) {
            logger.warn(method
                    + " is not collapsed where the thread has a JPA session of its own, as every web request with"
                    + " spring.jpa.open-in-view has. Set spring.jpa.open-in-view to false.");
        }
        return true;
    }

    private boolean isUnseen() {
        Boolean known = unseen.get();
        return known == null ? looksUnseen() : known;
    }

    private boolean looksUnseen() {
        String found = identities.unseenOf(method.beanName());
        boolean first = executors.isComplete() // until then, not everything has been injected
                && unseen.compareAndSet(null, found != null);
        if (first && found != null) {
            logger.warn(method + " is not collapsed, because its answer may depend on " + found
                    + ": callers could get the answer of another. Say by a CallerIdentity bean what of it counts, such as"
                    + " the tenant; one that returns the same for all, if nothing does.");
        }
        return found != null;
    }

    /** Says what keeps callers apart whose Reactor context holds the exchange of their request. */
    void callerHasExchange() {
        if (isFirst(exchangeTold)) {
            logger.warn(method
                    + " is not collapsed where the Reactor context holds a ServerWebExchange, which is another one in each"
                    + " request: the method may look at it. Spring Security puts it there. If the method does without, call it with"
                    + " .contextWrite(context -> context.delete(ServerWebExchange.class)). For a function of Kotlin that suspends, set"
                    + " acrossUsers = true, and say by a CallerIdentity bean which callers may share.");
        }
    }

    /**
     * Takes what the context of a caller holds. If its class has no equals and another caller has another object of it, no two callers share,
     * and it is said once for each class.
     */
    void callerHas(Object value) {
        Class<?> type = value.getClass();
        if (ArgumentEquality.isCompared(value)) {
            return;
        }
        WeakReference<Object> first = uncompared.get(type);
        if (first == null) {
            if (uncompared.size() < MOST_UNCOMPARED) {
                uncompared.putIfAbsent(type, new WeakReference<>(value));
            }
        } else if (first != TOLD && first.get() != value && uncompared.replace(type, first, TOLD)) {
            logger.warn(method + " is not collapsed for callers with different objects of " + type.getName()
                    + " in their Reactor or coroutine context: the method may look at them, and the class has no equals. Give it"
                    + " one. If the method does without, take it out of the context, or set acrossUsers = true, which ignores the"
                    + " context, and say by a CallerIdentity bean which callers may share.");
        }
    }

    /** Whether nobody has been told yet; callers come at once. */
    private static boolean isFirst(AtomicBoolean told) {
        return !told.get() && told.compareAndSet(false, true);
    }

    /** Takes a call that may collapse. */
    void outsideOfTransaction() {
        if (onlyInTransaction.get() < ENOUGH_IN_TRANSACTION) {
            onlyInTransaction.set(ENOUGH_IN_TRANSACTION);
        }
    }

    /** Refuses a call inside a transaction where the settings do; says so if there is no other call. */
    void passInTransaction() {
        if (executors.inTransaction() == CallInTransaction.REFUSE) {
            throw new IllegalStateException(
                    method + " was called inside a transaction, or with a JPA session on the thread: another"
                            + " caller's execution would not see its data. " + PASSING);
        }
        if (onlyInTransaction.get() < ENOUGH_IN_TRANSACTION
                && onlyInTransaction.incrementAndGet() == ENOUGH_IN_TRANSACTION
                && !sessionTold.get()) {
            logger.warn(method + " is not collapsed, because each of its first " + ENOUGH_IN_TRANSACTION
                    + " calls was made inside a transaction. Annotate the method that begins the transaction in its place, or"
                    + " call this one before the transaction begins.");
        }
    }

    /** What tells the callers of threads apart: the user, if it counts, the tenant, the language, and what the beans of the application say. */
    Object user() {
        return identities.current(acrossUsers);
    }

    /** Takes what the method can see of this thread's caller, for a call that another thread may make. */
    CallerThread thread() {
        return identities.thread(method);
    }

    /** What the coroutine of a caller has in its context, for a function that suspends; empty where users do not count. */
    Object contextOf(MethodInvocation invocation) {
        if (acrossUsers) {
            return Map.of();
        }
        Map<?, ?> elements = SuspendingCalls.contextOf(suspending, invocation.getArguments());
        elements.values().forEach(this::callerHas);
        return elements;
    }

    /** The arguments of a call that the source of its method names. */
    @Nullable Object[] named(@Nullable Object[] arguments) {
        return SuspendingCalls.arguments(suspending, arguments);
    }

    /** Refuses an argument that no equals compares. */
    void check(@Nullable Object argument, int index) {
        if (argument != null && !ArgumentEquality.isCompared(argument)) {
            throw new IllegalArgumentException(method + ": parameter " + index + " was given an object of "
                    + argument.getClass().getTypeName() + ", which has no equals that compares its content. "
                    + ArgumentEquality.REMEDY);
        }
    }

    /** Refuses the value of a key expression if no equals compares it. */
    void checkKey(Object key) {
        if (!ArgumentEquality.isCompared(key)) {
            throw new IllegalArgumentException(
                    method + ": the key is an object of " + key.getClass().getTypeName()
                            + ", which has no equals that compares its content. Name properties of it in the key.");
        }
    }

    /** Refuses a call that was to answer others, too, and whose arguments are not those any more by which they have joined it. */
    void checkUnchanged(CallKey key) {
        if (!key.isAsItWas()) {
            throw new ChangedArgumentException(method, key);
        }
    }

    /** What a caller gets whose wait ended without an answer; what the method declares, as it is. */
    Exception ended(MethodInvocation invocation, Exception failure) {
        boolean interrupted = failure instanceof InterruptedException;
        boolean ended = interrupted || failure instanceof TimeoutException;
        if (!ended || ReflectionUtils.declaresException(invocation.getMethod(), failure.getClass())) {
            return failure;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return new CollapsedCallException(
                method + ": the wait for the answer to another caller ended, by "
                        + (interrupted ? "an interruption" : "a timeout"),
                failure);
    }
}

package io.github.collapseexecutor.spring.annotation.caller;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses to run a call on a thread that has another tenant, or whatever else the application says of callers, than the thread of its caller.
 *
 * @param method the method that is called, as a message names it
 * @param ofCaller what the application says of the caller
 * @param current says the same of the present thread
 */
record CheckedThread(Object method, List<@Nullable Object> ofCaller, Supplier<List<@Nullable Object>> current)
        implements CallerThread {

    @Override
    public <T extends @Nullable Object> T run(Callable<T> call) throws Exception {
        List<@Nullable Object> present;
        try {
            present = current.get();
        } catch (RuntimeException unknown) {
            throw refused("is not known", unknown);
        }
        if (!present.equals(ofCaller)) {
            throw refused("is " + present, null);
        }
        return call.call();
    }

    private IllegalStateException refused(String present, @Nullable Exception cause) {
        return new IllegalStateException(
                method + " was not called, because it would run on the thread "
                        + Thread.currentThread().getName()
                        + ", where what CallerIdentity beans and Hibernate's tenants say " + present + " and not "
                        + ofCaller
                        + ", as on the thread of its caller: the answer could be that of another. Carry it over by a ContextCarrier"
                        + " (a bean of this type, with Spring Boot), or give it to the method as an argument.",
                cause);
    }
}

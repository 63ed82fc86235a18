package io.github.collapseexecutor.core;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Tells virtual threads from others, also on a JDK that does not know them. */
final class VirtualThreads {

    /** {@code Thread.isVirtual()}, or null before Java 21. */
    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

    private VirtualThreads() {}

    static boolean contain(Thread thread) {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) {
            throw new IllegalStateException("Thread.isVirtual(), which throws nothing, threw", e);
        }
    }

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null; // no such method: no such threads
        }
    }
}

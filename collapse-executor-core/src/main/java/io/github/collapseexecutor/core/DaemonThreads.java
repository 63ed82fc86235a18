package io.github.collapseexecutor.core;

import java.lang.reflect.Constructor;
import java.security.AccessController;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/**
 * Makes the platform threads of this library. They outlive the call that happens to need one first, so they inherit nothing of it:
 * no thread-locals, no class loader, no group, and no access control context, which keeps the class loaders of all
 * that stands on the stack.
 */
@FunctionalInterface
interface DaemonThreads {

    DaemonThreads OWN = new DaemonThreads() {

        private final @Nullable Constructor<Thread> withoutInheritance = withoutInheritance();

        @Override
        public Thread make(Runnable runnable, String name) {
            Thread thread = unprivileged(runnable, name);
            thread.setDaemon(true);
            thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
            return thread;
        }

        /** With the access control context of this class alone. From Java 24 on no thread has one. */
        private Thread unprivileged(Runnable runnable, String name) {
            try {
                return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> created(runnable, name));
            } catch (LinkageError removed) { // deprecated for removal since Java 17
                return created(runnable, name);
            }
        }

        private Thread created(Runnable runnable, String name) {
            ThreadGroup top = Thread.currentThread().getThreadGroup();
            while (top.getParent() != null) {
                top = top.getParent();
            }
            if (withoutInheritance == null) {
                return new Thread(top, runnable, name);
            }
            try {
                return withoutInheritance.newInstance(top, runnable, name, 0L, false);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("The JDK's public constructor of Thread cannot be called", e);
            }
        }

        private @Nullable Constructor<Thread> withoutInheritance() {
            try {
                return Thread.class.getConstructor(
                        ThreadGroup.class, Runnable.class, String.class, long.class, boolean.class);
            } catch (NoSuchMethodException e) {
                return null; // Java 8
            }
        }
    };

    /** Makes a daemon thread, which the caller starts. */
    Thread make(Runnable runnable, String name);
}

package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The threads of this library, which live longer than the application that happens to need one first. */
class DaemonThreadsTests {

    /** The first application's: a class of a loader of its own that does what it is told. */
    public static final class Application implements Consumer<Runnable> {

        @Override
        public void accept(Runnable runnable) {
            runnable.run();
        }
    }

    private static final class ApplicationLoader extends ClassLoader {

        ApplicationLoader() {
            super(DaemonThreadsTests.class.getClassLoader());
        }

        /** Says which class it is, so that nothing of the loader stays on the stack of a test that waits for its end. */
        @SuppressWarnings("unchecked") // it is the class above
        Consumer<Runnable> application() throws ReflectiveOperationException, IOException {
            String name = Application.class.getName();
            try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] code = bytes.readAllBytes();
                return (Consumer<Runnable>)
                        defineClass(name, code, 0, code.length).getConstructor().newInstance();
            }
        }
    }

    private static WeakReference<ClassLoader> callInAnApplicationThatEnds(Runnable call) throws Exception {
        ApplicationLoader loader = new ApplicationLoader();
        Consumer<Runnable> application = loader.application();
        assertThat(application.getClass()).isNotSameAs(Application.class);
        Thread thread = new Thread(new ThreadGroup("application"), () -> application.accept(call));
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
        return new WeakReference<>(loader);
    }

    @Test
    void threadsKeepNothingOfTheApplicationThatNeededThemFirst() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch both = new CountDownLatch(2);
        Thread[] threads = new Thread[1];
        EngineScheduler scheduler = new SystemScheduler(DaemonThreads.OWN);
        WeakReference<ClassLoader> loader = callInAnApplicationThatEnds(() -> {
            threads[0] = DaemonThreads.OWN.make(
                    () -> {
                        both.countDown();
                        awaitUninterrupted(end);
                    },
                    "daemon");
            threads[0].start();
            Future<?> unused = scheduler.schedule(both::countDown, 0);
        });
        both.await();
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> {
            System.gc();
            // Keeps the timer's thread, which ends when it has been idle for a second.
            Future<?> unused = scheduler.schedule(() -> {}, 0);
            return loader.get() == null;
        });
        assertThat(threads[0].getThreadGroup().getParent()).isNull();
        end.countDown();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.github.collapseexecutor.sample.commitlog.xa;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.collapseexecutor.sample.commitlog.LogFile;
import io.github.collapseexecutor.sample.commitlog.LogFiles;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thread that is interrupted while it uses a file does not close it for the others. */
class UninterruptedFilesTests {

    @TempDir
    private Path directory;

    private final LogFiles files = new UninterruptedFiles(LogFiles.onDisk());

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    @Test
    void everyOperationSucceedsForAnInterruptedThreadWhichStaysInterrupted() throws Exception {
        Path path = directory.resolve("file");
        try (LogFile file = files.create(path)) {
            Thread.currentThread().interrupt();
            assertThat(file.writeAll(bytes("one two"), 0)).isEqualTo(7);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            file.force();
            files.forceDirectory(directory);
            file.truncate(3);
            assertThat(file.size()).isEqualTo(3);
            assertThat(file.readAll(ByteBuffer.allocate(10), 0)).isEqualTo(bytes("one"));
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void interruptionsAtRandomLoseNothing() throws Exception {
        Path path = directory.resolve("file");
        int writes = 3_000;
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (LogFile file = files.create(path)) {
            Thread[] writing = new Thread[3];
            Future<?>[] all = new Future<?>[writing.length];
            for (int i = 0; i < writing.length; i++) {
                int part = i;
                all[i] = threads.submit(() -> {
                    writing[part] = Thread.currentThread();
                    for (int write = 0; write < writes; write++) {
                        file.writeAll(bytes("" + part), (long) write * writing.length + part);
                        if (write % 100 == 0) {
                            file.force();
                        }
                    }
                    return null;
                });
            }
            Future<?> interrupts = threads.submit(() -> {
                for (int i = 0; !(all[0].isDone() && all[1].isDone() && all[2].isDone()); i++) {
                    Thread thread = writing[i % writing.length];
                    if (thread != null) {
                        thread.interrupt();
                    }
                }
            });
            for (Future<?> each : all) {
                each.get();
            }
            interrupts.get();
        } finally {
            threads.shutdown();
        }
        assertThat(Files.readString(path)).isEqualTo("012".repeat(writes));
    }

    @Test
    void aClosedFileStaysClosed() throws Exception {
        LogFile file = files.create(directory.resolve("file"));
        file.close();
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> file.write(bytes("late"), 0));
    }
}

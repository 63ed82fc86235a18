package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The files of the file system, which stop at a given step: from then on nothing has any effect, as after {@code kill -9}. The
 * last step, if it is a write, is half done. The disk itself is never forced, which would take long.
 *
 * <p>{@link #losePower} then takes away what was not forced: all of it, or a part at random.
 */
public final class CrashingFiles extends ForwardingFiles {

    /** What a file held when it was forced last. */
    private static final class Durable {
        byte[] content = new byte[0];
    }

    // mutable, guarded by this
    private final Map<Path, Durable> files = new HashMap<>();
    private final Map<Path, Durable> durableNames = new HashMap<>();
    private int lastStep;
    private int steps;

    /** Files that do not stop by themselves. */
    public CrashingFiles() {
        this(Integer.MAX_VALUE);
    }

    public CrashingFiles(int lastStep) {
        super(LogFiles.onDisk());
        this.lastStep = lastStep;
    }

    public synchronized boolean hasCrashed() {
        return steps > lastStep;
    }

    /** Stops now, between two steps. */
    public synchronized void crash() {
        if (steps <= lastStep) {
            lastStep = steps++;
        }
    }

    /** What is there already has been forced long ago. */
    public synchronized void takeAsDurable(Path directory) throws IOException {
        for (Path file : list(directory)) {
            Durable durable = new Durable();
            durable.content = Files.readAllBytes(file);
            files.put(file, durable);
        }
        durableNames.putAll(files);
    }

    private void step() throws IOException {
        if (++steps > lastStep) {
            throw new IOException("crashed at step " + lastStep);
        }
    }

    @Override
    public synchronized LogFile create(Path path) throws IOException {
        step();
        return super.create(path);
    }

    @Override
    public synchronized void delete(Path path) throws IOException {
        step();
        super.delete(path);
        files.remove(path);
    }

    @Override
    public synchronized void rename(Path path, Path newPath) throws IOException {
        step();
        super.rename(path, newPath);
        Durable durable = files.remove(path);
        if (durable != null) {
            files.put(newPath, durable);
        }
    }

    @Override
    public synchronized void forceDirectory(Path directory) throws IOException {
        step();
        durableNames.keySet().removeIf(path -> directory.equals(path.getParent()));
        files.forEach((path, durable) -> {
            if (directory.equals(path.getParent())) {
                durableNames.put(path, durable);
            }
        });
    }

    @Override
    protected synchronized LogFile inFrontOf(Path path, LogFile file) {
        Durable durable = files.computeIfAbsent(path, any -> new Durable());
        return new ForwardingFile(file) {
            @Override
            public int write(ByteBuffer source, long position) throws IOException {
                synchronized (CrashingFiles.this) {
                    if (++steps > lastStep) {
                        if (steps == lastStep + 1) {
                            source.limit(source.position() + source.remaining() / 2);
                            super.write(source, position);
                        }
                        throw new IOException("crashed at step " + lastStep);
                    }
                    return super.write(source, position);
                }
            }

            @Override
            public void force() throws IOException {
                synchronized (CrashingFiles.this) {
                    step();
                    ByteBuffer content = ByteBuffer.allocate((int) size());
                    super.readAll(content, 0);
                    durable.content = content.array();
                }
            }

            @Override
            public void truncate(long size) throws IOException {
                synchronized (CrashingFiles.this) {
                    step();
                    super.truncate(size);
                }
            }
        };
    }

    /**
     * Leaves what a disk holds when the power fails.
     *
     * @param random decides for each name and for each content whether it is there although it was not forced; null if none is
     */
    public synchronized void losePower(Path directory, Random random) throws IOException {
        Map<Path, byte[]> left = new HashMap<>();
        for (Map.Entry<Path, Durable> name : durableNames.entrySet()) {
            left.put(name.getKey(), name.getValue().content);
        }
        if (random != null) {
            for (Map.Entry<Path, Durable> name : files.entrySet()) {
                boolean isThere = durableNames.get(name.getKey()) == name.getValue() || random.nextBoolean();
                if (isThere && Files.exists(name.getKey())) {
                    left.put(
                            name.getKey(),
                            random.nextBoolean() ? Files.readAllBytes(name.getKey()) : name.getValue().content);
                }
            }
        }
        for (Path file : list(directory)) {
            if (!file.endsWith("lock")) {
                Files.delete(file);
            }
        }
        for (Map.Entry<Path, byte[]> file : left.entrySet()) {
            Files.write(file.getKey(), file.getValue());
        }
    }

    /** The files in a directory and below it. */
    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}

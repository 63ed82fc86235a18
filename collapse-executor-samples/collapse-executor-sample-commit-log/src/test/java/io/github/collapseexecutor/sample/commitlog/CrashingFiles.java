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
final class CrashingFiles extends ForwardingFiles {

    /** What a file held when it was forced last. */
    private static final class Durable {
        byte[] content = new byte[0];
    }

    private final int lastStep;
    private final Map<Path, Durable> files = new HashMap<>();

    private int steps;
    private Map<Path, Durable> durableNames = new HashMap<>();

    /** Files that do not stop. */
    CrashingFiles() {
        this(Integer.MAX_VALUE);
    }

    CrashingFiles(int lastStep) {
        super(new DiskFiles());
        this.lastStep = lastStep;
    }

    boolean hasCrashed() {
        return steps > lastStep;
    }

    /** What is there already has been forced long ago. */
    void takeAsDurable(Path directory) throws IOException {
        for (Path file : list(directory)) {
            Durable durable = new Durable();
            durable.content = Files.readAllBytes(file);
            files.put(file, durable);
        }
        durableNames = new HashMap<>(files);
    }

    private void step() throws IOException {
        if (++steps > lastStep) {
            throw new IOException("crashed at step " + lastStep);
        }
    }

    @Override
    public LogFile create(Path path) throws IOException {
        step();
        return super.create(path);
    }

    @Override
    public void delete(Path path) throws IOException {
        step();
        super.delete(path);
        files.remove(path);
    }

    @Override
    public void rename(Path path, Path newPath) throws IOException {
        step();
        super.rename(path, newPath);
        Durable durable = files.remove(path);
        if (durable != null) {
            files.put(newPath, durable);
        }
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        step();
        durableNames = new HashMap<>(files);
    }

    @Override
    LogFile inFrontOf(Path path, LogFile file) {
        Durable durable = files.computeIfAbsent(path, any -> new Durable());
        return new ForwardingFile(file) {
            @Override
            public int write(ByteBuffer source, long position) throws IOException {
                if (++steps > lastStep) {
                    if (steps == lastStep + 1) {
                        source.limit(source.position() + source.remaining() / 2);
                        super.write(source, position);
                    }
                    throw new IOException("crashed at step " + lastStep);
                }
                return super.write(source, position);
            }

            @Override
            public void force() throws IOException {
                step();
                ByteBuffer content = ByteBuffer.allocate((int) size());
                durable.content = content.array();
                super.readAll(content, 0);
            }

            @Override
            public void truncate(long size) throws IOException {
                step();
                super.truncate(size);
            }
        };
    }

    /**
     * Leaves what a disk holds when the power fails.
     *
     * @param random decides for each name and for each content whether it is there although it was not forced; null if none is
     */
    void losePower(Path directory, Random random) throws IOException {
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

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}

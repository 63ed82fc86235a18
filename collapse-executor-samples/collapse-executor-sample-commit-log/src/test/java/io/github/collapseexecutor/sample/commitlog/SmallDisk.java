package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A directory on a disk that is soon full: a file system of its own in memory where this process may mount one, else files
 * that say so.
 */
final class SmallDisk implements AutoCloseable {

    private static final int ROOM = 64 << 10;

    private final Path directory;
    private final boolean mounted;
    private final Path ballast;
    private final FaultyFiles files = new FaultyFiles();

    private SmallDisk(Path directory, boolean mounted) {
        this.directory = directory;
        this.mounted = mounted;
        this.ballast = directory.resolve("ballast");
    }

    static SmallDisk at(Path directory) throws IOException {
        Files.createDirectories(directory);
        SmallDisk disk = new SmallDisk(
                directory, run("mount", "-t", "tmpfs", "-o", "size=" + 2 * ROOM, "tmpfs", directory.toString()));
        if (disk.mounted) {
            Files.write(disk.ballast, new byte[ROOM]);
        } else {
            disk.files.limit = FaultyFiles.room(ROOM + new Random().nextInt(100));
        }
        return disk;
    }

    LogFiles files() {
        return files;
    }

    /** Makes room. */
    void free() throws IOException {
        if (mounted) {
            Files.delete(ballast);
        } else {
            files.limit = bytes -> bytes;
        }
    }

    @Override
    public void close() throws IOException {
        if (mounted && !run("umount", directory.toString())) {
            throw new IOException(directory + " could not be unmounted");
        }
    }

    private static boolean run(String... command) {
        Process process;
        try {
            process = new ProcessBuilder(command).inheritIO().start();
        } catch (IOException e) {
            return false; // there is no such command
        }
        return process.onExit().orTimeout(1, TimeUnit.MINUTES).join().exitValue() == 0;
    }
}

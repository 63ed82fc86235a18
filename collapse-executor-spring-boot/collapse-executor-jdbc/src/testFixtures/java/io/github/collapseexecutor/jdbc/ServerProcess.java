package io.github.collapseexecutor.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A database server's process: to be killed, and to be started again with the command that it was started with. */
final class ServerProcess {

    // immutable
    private final ProcessHandle handle;
    private final List<String> command;
    private final Path folder;

    private ServerProcess(ProcessHandle handle) {
        this.handle = handle;
        this.command = new ArrayList<>();
        this.folder = Path.of("/proc", String.valueOf(handle.pid()), "cwd");
        command.add(handle.info().command().orElseThrow());
        command.addAll(List.of(handle.info().arguments().orElseThrow()));
    }

    static ServerProcess find(Predicate<ProcessHandle> which) {
        return new ServerProcess(
                ProcessHandle.allProcesses().filter(which).findFirst().orElseThrow());
    }

    /** Kills the process and all that it has started, as {@code kill -9} does, and starts it again when they are gone. */
    void killAndRestart() {
        Path workingFolder = workingFolder();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(handle), handle.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        List<String> again = new ArrayList<>(command);
        if (command.get(0).endsWith("postgres") && "root".equals(System.getProperty("user.name"))) {
            again.addAll(0, List.of("unshare", "-U")); // it refuses to be run by root
        }
        try {
            Process process = new ProcessBuilder(again)
                    .directory(workingFolder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path workingFolder() {
        try {
            return Files.readSymbolicLink(folder);
        } catch (IOException e) {
            return Path.of("").toAbsolutePath();
        }
    }
}

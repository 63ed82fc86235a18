package io.github.collapseexecutor.http.servlet.mvc;

import io.github.collapseexecutor.http.fixture.ProcessFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPOutputStream;

/** The files that the applications serve; they are always the same. */
final class MvcFiles {

    static final Instant CHANGED = Instant.parse("2025-01-02T03:04:05Z");

    private static final Map<Integer, byte[]> BYTES = new ConcurrentHashMap<>();

    private static final Path FOLDER = ProcessFolder.of("mvc-files");

    private MvcFiles() {}

    static Path of(String name) {
        return FOLDER.resolve(name);
    }

    static String location() {
        return FOLDER.toUri().toString();
    }

    /** Text of so many characters. */
    static String text(int length) {
        return "0123456789abcdefghijklmnopqrstuvwxyz \n".repeat(length / 38 + 1).substring(0, length);
    }

    /** So many bytes, which nobody changes. */
    static byte[] bytes(int length) {
        return BYTES.computeIfAbsent(length, asked -> {
            byte[] bytes = new byte[asked];
            new Random(asked).nextBytes(bytes);
            return bytes;
        });
    }

    static void write() {
        try {
            Files.createDirectories(FOLDER.resolve("sub"));
            write("small.txt", text(100).getBytes(StandardCharsets.US_ASCII));
            write("empty.txt", new byte[0]);
            write("page.html", ("<p>" + text(5_000) + "</p>").getBytes(StandardCharsets.US_ASCII));
            write("style.css", ("p{}" + text(3_000)).getBytes(StandardCharsets.US_ASCII));
            write("style.css.gz", gzip("p{}" + text(3_000)));
            write("data.json", ("[\"" + text(37) + "\"]").getBytes(StandardCharsets.US_ASCII));
            write("small.bin", bytes(20_000));
            write("large.bin", bytes(200_000));
            write("large.txt", text(100_000).getBytes(StandardCharsets.US_ASCII));
            write("huge.bin", bytes(3_000_000));
            write("no-extension", bytes(10));
            write("with space.txt", text(50).getBytes(StandardCharsets.US_ASCII));
            write("sub/index.html", "<p>index</p>".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return bytes.toByteArray();
    }

    private static void write(String name, byte[] content) throws IOException {
        Path file = Files.write(FOLDER.resolve(name), content);
        Path unusedFile = Files.setLastModifiedTime(file, FileTime.from(CHANGED));
    }
}

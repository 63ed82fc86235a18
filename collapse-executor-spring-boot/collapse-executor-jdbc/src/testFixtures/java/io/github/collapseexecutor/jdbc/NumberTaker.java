package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.Sequences;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import javax.sql.DataSource;
import redis.clients.jedis.JedisPooled;

/** A process that takes numbers with many threads and writes each to its output, until it is killed. */
public final class NumberTaker {

    private static final int CALLERS = 16;

    private NumberTaker() {}

    /** What numbers are taken from. */
    enum Kind {
        SEQUENCE,
        ROW,
        REDIS
    }

    /** Takes the kind of sequence and the address of the server. */
    public static void main(String[] arguments) {
        System.setOut(System.err); // for what libraries log
        Sequences sequences = Sequences.of(source(Kind.valueOf(arguments[0]), arguments[1]));
        // Not buffered: what a caller was given is out before it asks again.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        for (int i = 0; i < CALLERS; i++) {
            new Thread(() -> take(sequences, out), "caller " + i).start();
        }
    }

    private static SequenceSource source(Kind kind, String url) {
        if (kind == Kind.REDIS) {
            return SequenceSource.ofCounter(new JedisPooled(url)::incrBy, Set.of("killed"));
        }
        DataSource dataSource = Database.pool(4, url);
        return kind == Kind.SEQUENCE
                ? new DatabaseSequences(dataSource)
                : new SequenceTable(dataSource, "killed_row", "name", "last_number");
    }

    private static void take(Sequences sequences, PrintStream out) {
        try {
            while (true) {
                out.println(sequences.next("killed"));
            }
        } catch (InterruptedException | RuntimeException failure) {
            out.println("failed: " + failure);
            throw new IllegalStateException(failure);
        }
    }
}

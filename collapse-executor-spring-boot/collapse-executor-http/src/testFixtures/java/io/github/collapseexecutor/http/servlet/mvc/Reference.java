package io.github.collapseexecutor.http.servlet.mvc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a case is answered without collapsing.
 *
 * @param replies the responses to its steps
 * @param deterministic whether they are the same each time
 * @param chunksMatter whether the sizes of their chunks are the same each time
 */
record Reference(List<RawReply> replies, boolean deterministic, boolean chunksMatter) {

    private static final int CLIENTS = 4;

    static Reference of(MvcCase row, int port) {
        try {
            List<List<RawReply>> samples = new ArrayList<>();
            samples.add(MvcClient.alone(row, port));
            samples.addAll(MvcClient.burst(row, port, CLIENTS).replies());
            // what a Flux emits is written together, or not, as threads happen to be scheduled
            boolean chunksMatter =
                    samples.stream().distinct().count() == 1 && !row.toString().contains("/stream/flux");
            List<List<RawReply>> anyChunks =
                    samples.stream().map(Reference::anyChunks).distinct().toList();
            return new Reference(chunksMatter ? samples.get(0) : anyChunks.get(0), anyChunks.size() == 1, chunksMatter);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Responses without what does not matter. */
    List<RawReply> comparable(List<RawReply> others) {
        return chunksMatter ? others : anyChunks(others);
    }

    /**
     * The same of a client among many. While it is decided who may have a response, what its handler flushes is held, and may leave as one
     * chunk.
     */
    List<RawReply> comparableAmongMany(List<RawReply> others) {
        if (!chunksMatter || others.size() != replies.size()) {
            return comparable(others);
        }
        return IntStream.range(0, others.size())
                .mapToObj(i -> others.get(i).unlessJoined(replies.get(i)))
                .toList();
    }

    private static List<RawReply> anyChunks(List<RawReply> replies) {
        return replies.stream().map(RawReply::anyChunks).toList();
    }
}

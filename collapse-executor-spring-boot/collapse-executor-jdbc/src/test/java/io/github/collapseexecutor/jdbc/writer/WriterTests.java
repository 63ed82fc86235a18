package io.github.collapseexecutor.jdbc.writer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a writer keeps the batch that follows its own. */
class WriterTests {

    private final List<String> events = new ArrayList<>();

    /** Sends a batch to the writers, as the core does; says whether the writer of this thread keeps it. */
    private boolean keeps(Runnable batch) {
        return requireNonNull(Writer.present()).keep(batch);
    }

    private static Writer begin() {
        return requireNonNull(Writer.beginning());
    }

    @Test
    void whileItAnswersItKeepsOneBatchAndWritesThatNext() {
        new Writer(() -> {
                    Writer writer = begin();
                    events.add("first, keeps " + keeps(() -> {}));
                    writer.answers(null);
                    events.add("answers, keeps " + keeps(() -> events.add("next")));
                    events.add("has one, keeps " + keeps(() -> {}));
                })
                .run();
        assertThat(events).containsExactly("first, keeps false", "answers, keeps true", "has one, keeps false", "next");
    }

    @Test
    void theNextBatchBeginsAsTheFirstDid() {
        new Writer(() -> {
                    begin().answers(null);
                    keeps(() -> {
                        events.add("next, keeps " + keeps(() -> {}));
                        begin().answers(null);
                        keeps(() -> events.add("third"));
                    });
                })
                .run();
        assertThat(events).containsExactly("next, keeps false", "third");
    }

    /** A parameter setter that writes a row of its own and waits for it: the setter goes on while the outer batch is written. */
    @Test
    void aBatchInsideAnotherHasNoWriterSoThatNothingIsKeptBelowTheCodeOfTheUser() {
        new Writer(() -> {
                    Writer outer = begin();
                    events.add("inner batch has a writer: " + (Writer.beginning() != null));
                    events.add("keeps " + keeps(() -> {}));
                    outer.answers(null);
                    events.add("inner batch has a writer: " + (Writer.beginning() != null));
                })
                .run();
        assertThat(events)
                .containsExactly("inner batch has a writer: false", "keeps false", "inner batch has a writer: false");
    }

    @Test
    void beforeCodeOfTheUserAnotherWriterGetsTheBatch() throws Exception {
        CompletableFuture<Thread> by = new CompletableFuture<>();
        new Writer(() -> {
                    begin().answers(null);
                    keeps(() -> by.complete(Thread.currentThread()));
                    Writer.beforeUserCode();
                    assertThat(by.orTimeout(2, TimeUnit.MINUTES).join()).isNotSameAs(Thread.currentThread());
                    events.add("keeps " + keeps(() -> {}));
                    events.add("inner batch has a writer: " + (Writer.beginning() != null));
                })
                .run();
        assertThat(events).containsExactly("keeps false", "inner batch has a writer: false");
    }

    @Test
    void ifItsBatchFailsAnotherWriterGetsTheNext() throws Exception {
        CompletableFuture<Thread> by = new CompletableFuture<>();
        Writer writer = new Writer(() -> {
            begin().answers(null);
            keeps(() -> by.complete(Thread.currentThread()));
            throw new IllegalStateException("expected");
        });
        try {
            writer.run();
        } catch (IllegalStateException expected) {
            events.add("failed");
        }
        assertThat(by.get(2, TimeUnit.MINUTES)).isNotSameAs(Thread.currentThread());
        assertThat(events).containsExactly("failed");
    }

    @Test
    void onAnyOtherThreadThereIsNone() {
        new Writer(() -> {}).run();
        assertThat(Writer.present()).isNull();
        assertThat(Writer.beginning()).isNull();
        Writer.beforeUserCode();
    }
}

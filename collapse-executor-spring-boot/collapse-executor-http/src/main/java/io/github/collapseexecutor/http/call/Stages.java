package io.github.collapseexecutor.http.call;

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What the methods of {@link CompletionStage} do not do: an end that is only looked at. */
final class Stages {

    private Stages() {}

    /** Runs an action when the stage has ended, at once if it has. Nobody learns what the action throws. */
    static <T extends @Nullable Object> void whenEnded(
            CompletionStage<T> stage, BiConsumer<? super T, ? super @Nullable Throwable> action) {
        stage.whenComplete(action);
    }
}

package io.github.collapseexecutor.sample.rpcmerge;

import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorFutureSupport;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends what waits for one link together, whatever its type, and lets the next gather while it is written.
 *
 * <p>This is all there is to merging: a batch is what one write takes, a link is a group, and one batch of it is in flight
 * at a time. A batch is started by the link's own thread, and gathers until that gets to it; it ends when it is written,
 * not when it is answered, because what is bound to each message is a future of its own.
 */
final class MergingSender extends CollapseExecutorFutureSupport<Outgoing, @Nullable Object, @Nullable Void>
        implements Sender {

    MergingSender(CollapseOptions options) {
        super(options.toBuilder().maxConcurrentBatches(1).build(), link -> ((Link) link).loop());
    }

    static MergingSender ofRequests(RpcOptions options) {
        return new MergingSender(CollapseOptions.builder()
                .name("rpc-client")
                .maxPending(options.maxPending())
                .build());
    }

    static MergingSender ofReplies() {
        return new MergingSender(CollapseOptions.builder().name("rpc-server").build());
    }

    @Override
    public CompletableFuture<@Nullable Object> send(Outgoing message) {
        return execute(message);
    }

    /** Does nothing: what waits for a link ends with it. */
    @Override
    public void close() {}

    @Override
    protected Object groupOf(Outgoing message) {
        return message.link;
    }

    @Override
    protected CompletionStage<@Nullable Void> doExecute(Collection<Input<Outgoing>> inputs) {
        List<Outgoing> messages = new ArrayList<>(inputs.size());
        for (Input<Outgoing> input : inputs) {
            messages.add(input.value());
        }
        // A stage that cannot be cancelled: when all callers of a frame that the other end does not take have left, the
        // next one must still not be written on top of it.
        return messages.get(0).link.write(messages).minimalCompletionStage();
    }

    @Override
    protected void bindingOutput(
            @Nullable Void written, List<Bundle<Outgoing, CompletableFuture<@Nullable Object>>> bundles) {
        for (Bundle<Outgoing, CompletableFuture<@Nullable Object>> bundle : bundles) {
            // Only read from: whatever it gives is an object.
            @SuppressWarnings("unchecked")
            CompletableFuture<@Nullable Object> outcome =
                    (CompletableFuture<@Nullable Object>) bundle.getInput().outcome();
            boolean unused = bundle.bindOutput(outcome);
        }
    }
}

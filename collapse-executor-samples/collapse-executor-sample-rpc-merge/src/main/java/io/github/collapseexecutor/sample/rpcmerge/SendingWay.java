package io.github.collapseexecutor.sample.rpcmerge;

/** The ways to send that are compared; each keeps what {@link RpcClient} promises. */
enum SendingWay {
    /** What waits while a frame is written is the next frame, of requests as of answers. */
    MERGED("merged"),
    /** Every request and every answer is a frame of its own. */
    UNMERGED("unmerged"),
    /** What waits when a millisecond is over is the next frame of requests; answers are merged. */
    POLLED("polled every 1 ms");

    // immutable
    private final String label;

    SendingWay(String label) {
        this.label = label;
    }

    Sender ofRequests(RpcOptions options) {
        return switch (this) {
            case MERGED -> MergingSender.ofRequests(options);
            case UNMERGED -> new BoundedSender(new UnmergedSender(), options.maxPending());
            case POLLED -> new BoundedSender(new PollingSender(), options.maxPending());
        };
    }

    Sender ofReplies() {
        return this == UNMERGED ? new UnmergedSender() : MergingSender.ofReplies();
    }

    @Override
    public String toString() {
        return label;
    }
}

package io.github.collapseexecutor.http.jdk;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A body that is in memory, for each of its subscribers as one item. Without bytes there is no item, and it ends as from the JDK's client: also for a
 * subscriber that has asked for nothing, or has cancelled because it expects nothing.
 */
record BufferedBody(ByteBuffer bytes) implements Flow.Publisher<List<ByteBuffer>> {

    @Override
    public void subscribe(Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        boolean hasItem = bytes.hasRemaining();
        AtomicBoolean ended = new AtomicBoolean(!hasItem);
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                if (!ended.getAndSet(true)) {
                    deliver(subscriber, count);
                }
            }

            @Override
            public void cancel() {
                ended.set(true);
            }
        });
        if (!hasItem) {
            subscriber.onComplete();
        }
    }

    private void deliver(Flow.Subscriber<? super List<ByteBuffer>> subscriber, long count) {
        if (count <= 0) {
            subscriber.onError(new IllegalArgumentException("request: " + count + " is not positive"));
            return;
        }
        subscriber.onNext(List.of(bytes.duplicate()));
        subscriber.onComplete();
    }
}

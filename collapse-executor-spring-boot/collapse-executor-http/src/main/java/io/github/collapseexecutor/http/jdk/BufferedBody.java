package io.github.collapseexecutor.http.jdk;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/** A body that is in memory, for each of its subscribers as one item; without bytes there is none, as from the JDK's client. */
record BufferedBody(ByteBuffer bytes) implements Flow.Publisher<List<ByteBuffer>> {

    @Override
    public void subscribe(Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        AtomicBoolean ended = new AtomicBoolean();
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
        if (!bytes.hasRemaining() && !ended.getAndSet(true)) {
            subscriber.onComplete();
        }
    }

    private void deliver(Flow.Subscriber<? super List<ByteBuffer>> subscriber, long count) {
        if (count <= 0) {
            subscriber.onError(new IllegalArgumentException("request: " + count + " is not positive"));
            return;
        }
        if (bytes.hasRemaining()) {
            subscriber.onNext(List.of(bytes.duplicate()));
        }
        subscriber.onComplete();
    }
}

package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.dryrun.BodyWatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * A body that is watched as it is read.
 *
 * @param body the body
 * @param watch sees it
 */
record WatchedPublisher(Flow.Publisher<List<ByteBuffer>> body, BodyWatch watch)
        implements Flow.Publisher<List<ByteBuffer>> {

    @Override
    public void subscribe(Flow.Subscriber<? super List<ByteBuffer>> reader) {
        body.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                reader.onSubscribe(new Flow.Subscription() {
                    @Override
                    public void request(long count) {
                        subscription.request(count);
                    }

                    @Override
                    public void cancel() {
                        subscription.cancel();
                        watch.ended(false);
                    }
                });
            }

            @Override
            public void onNext(List<ByteBuffer> buffers) {
                buffers.forEach(watch::read);
                reader.onNext(buffers);
            }

            @Override
            public void onError(Throwable failure) {
                watch.ended(false);
                reader.onError(failure);
            }

            @Override
            public void onComplete() {
                watch.ended(true);
                reader.onComplete();
            }
        });
    }
}

package io.github.collapseexecutor.http.webflux;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A body that gives nothing before it is asked. Spring holds the first part of what a handler writes until the head is committed; if the body has
 * no other part, Spring gives it to its subscriber at once, asked or not. A server that is busy with what a filter in front has written fails then.
 */
final class BodyInDemand<T> extends FluxOperator<T, T> {

    // immutable
    private final Consumer<? super T> discard;

    /**
     * Wraps a body.
     *
     * @param discard gets a part that nobody asks for
     */
    BodyInDemand(Flux<? extends T> source, Consumer<? super T> discard) {
        super(source);
        this.discard = discard;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        source.subscribe(new Parts<T>(actual, discard));
    }

    private static final class Parts<T> implements CoreSubscriber<T>, Subscription {

        // immutable
        private final CoreSubscriber<? super T> actual;
        private final Consumer<? super T> discard;

        // mutable, written before anything is asked for
        private @Nullable Subscription upstream;

        // mutable, guarded by this
        private long demand;
        private @Nullable T held;
        private boolean ended;
        private @Nullable Throwable failure;

        Parts(CoreSubscriber<? super T> actual, Consumer<? super T> discard) {
            this.actual = actual;
            this.discard = discard;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            actual.onSubscribe(this);
        }

        @Override
        public void onNext(T part) {
            synchronized (this) {
                if (demand == 0) {
                    held = part;
                    return;
                }
                demand = demand == Long.MAX_VALUE ? demand : demand - 1;
            }
            actual.onNext(part);
        }

        @Override
        public void onError(Throwable thrown) {
            if (!endsLater(thrown)) {
                actual.onError(thrown);
            }
        }

        @Override
        public void onComplete() {
            if (!endsLater(null)) {
                actual.onComplete();
            }
        }

        private synchronized boolean endsLater(@Nullable Throwable thrown) {
            ended = held != null;
            failure = thrown;
            return ended;
        }

        @Override
        public void request(long count) {
            T part;
            boolean last;
            long more = count;
            synchronized (this) {
                part = held;
                held = null;
                last = part != null && ended;
                more -= part == null || count == Long.MAX_VALUE ? 0 : 1;
                demand = Operators.addCap(demand, more);
            }
            if (part != null) {
                actual.onNext(part);
            }
            if (last) {
                end();
            } else if (more > 0 && upstream != null) {
                upstream.request(more);
            }
        }

        private void end() {
            Throwable thrown;
            synchronized (this) {
                thrown = failure;
            }
            if (thrown == null) {
                actual.onComplete();
            } else {
                actual.onError(thrown);
            }
        }

        @Override
        public void cancel() {
            T part;
            synchronized (this) {
                part = held;
                held = null;
            }
            if (part != null) {
                discard.accept(part);
            }
            if (upstream != null) {
                upstream.cancel();
            }
        }
    }
}

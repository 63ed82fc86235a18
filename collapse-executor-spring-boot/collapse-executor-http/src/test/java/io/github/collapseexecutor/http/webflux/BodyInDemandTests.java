package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** A body whose source does not wait to be asked. */
class BodyInDemandTests {

    private final List<String> got = new ArrayList<>();
    private final List<String> discarded = new ArrayList<>();

    private final BaseSubscriber<String> receiver = new BaseSubscriber<>() {
        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(String part) {
            got.add(part);
        }

        @Override
        protected void hookOnComplete() {
            got.add("end");
        }

        @Override
        protected void hookOnError(Throwable failure) {
            got.add(failure.getMessage());
        }
    };

    /** As Spring gives the only part of a body. */
    private static Flux<String> hasty(Flux<String> body) {
        return Flux.from(subscriber -> {
            subscriber.onSubscribe(Operators.emptySubscription());
            body.subscribe(subscriber::onNext, subscriber::onError, subscriber::onComplete);
        });
    }

    private void receive(Flux<String> source) {
        new BodyInDemand<>(source, discarded::add).subscribe(receiver);
    }

    @Test
    void aPartWaitsToBeAskedForAndTheEndForIt() {
        receive(hasty(Flux.just("part")));
        assertThat(got).isEmpty();
        receiver.request(1);
        assertThat(got).containsExactly("part", "end");
    }

    @Test
    void aFailureComesBehindThePart() {
        receive(hasty(Flux.concat(Flux.just("part"), Flux.error(new IllegalStateException("broken")))));
        assertThat(got).isEmpty();
        receiver.request(Long.MAX_VALUE);
        assertThat(got).containsExactly("part", "broken");
    }

    @Test
    void aPartThatNobodyAsksForIsDiscarded() {
        receive(hasty(Flux.just("part")));
        receiver.cancel();
        assertThat(got).isEmpty();
        assertThat(discarded).containsExactly("part");
    }

    @Test
    void oneThatWaitsIsAskedForAsManyAsItsSubscriberWants() {
        List<Long> asked = new ArrayList<>();
        receive(Flux.just("a", "b", "c").doOnRequest(asked::add));
        receiver.request(1);
        assertThat(got).containsExactly("a");
        receiver.request(2);
        assertThat(got).containsExactly("a", "b", "c", "end");
        assertThat(asked).containsExactly(1L, 2L);
    }

    @Test
    void anEndOrAFailureWithoutAPartComesAtOnce() {
        receive(Flux.error(new IllegalStateException("broken")));
        assertThat(got).containsExactly("broken");
    }
}

package io.github.collapseexecutor.foreign.client;

import feign.DefaultClient;
import feign.DefaultRetryer;
import feign.ExceptionPropagationPolicy;
import feign.Feign;
import feign.Logger;
import feign.Param;
import feign.Request;
import feign.RequestLine;
import feign.Response;
import feign.RetryableException;
import feign.Retryer;
import io.github.collapseexecutor.foreign.client.Question.Reading;
import io.github.collapseexecutor.http.feign.CollapseFeignCapability;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.zalando.logbook.openfeign.FeignLogbookLogger;

/** Feign over its own client, with loggers, retryers and decoders. */
final class FeignLibrary implements Library {

    /** The API that is called. */
    interface Texts {

        @RequestLine("GET")
        @feign.Headers("Authorization: Bearer {user}")
        Response response(URI uri, @Param("user") String user);

        @RequestLine("GET")
        @feign.Headers("Authorization: Bearer {user}")
        String text(URI uri, @Param("user") String user);

        @RequestLine("GET")
        @feign.Headers("Authorization: Bearer {user}")
        void nothing(URI uri, @Param("user") String user);
    }

    private static final List<Layer<Feign.Builder>> LAYERS = List.of(
            new Layer<>(
                    "logbook",
                    feign -> feign.logger(new FeignLogbookLogger(Logs.withBodies()))
                            .logLevel(Logger.Level.FULL)),
            new Layer<>("log", feign -> feign.logger(new Logger.NoOpLogger()).logLevel(Logger.Level.FULL)),
            new Layer<>("retries", feign -> feign.retryer(new DefaultRetryer(1, 1, 2))),
            new Layer<>("404 is decoded", Feign.Builder::dismiss404),
            new Layer<>("closed later", Feign.Builder::doNotCloseAfterDecode),
            new Layer<>("unwrapped", feign -> feign.exceptionPropagationPolicy(ExceptionPropagationPolicy.UNWRAP)));

    @Override
    public Asker make(Draw draw) {
        Feign.Builder feign = Feign.builder()
                .client(new DefaultClient(null, null))
                .retryer(Retryer.NEVER_RETRY)
                .options(new Request.Options(10, TimeUnit.SECONDS, 60, TimeUnit.SECONDS, draw.oneOf(2, "follows")));
        draw.layers("layers", LAYERS).forEach(layer -> layer.add().accept(feign));
        CollapseFeignCapability ours = new CollapseFeignCapability(draw.http(), draw.core());
        if (draw.collapses()) {
            feign.addCapability(ours);
        }
        return new OfFeign(feign.target(Texts.class, "http://127.0.0.1:1"));
    }

    private record OfFeign(Texts texts) implements Asker {

        @Override
        public void ask(URI uri, Reply reply) throws Exception {
            Question question = reply.question();
            if (question.reading() == Reading.TEXT) {
                reply.text(texts.text(uri, question.user()));
                return;
            }
            if (question.reading() == Reading.HEAD) {
                texts.nothing(uri, question.user());
                return;
            }
            try (Response response = texts.response(uri, question.user())) {
                reply.status(response.status());
                response.headers().forEach((name, values) -> reply.header(name, values.toString()));
                if (response.body() != null) {
                    reply.read(response.body().asInputStream());
                }
            } catch (RetryableException e) {
                throw e.getCause() instanceof java.io.IOException cause ? cause : e;
            }
        }
    }
}

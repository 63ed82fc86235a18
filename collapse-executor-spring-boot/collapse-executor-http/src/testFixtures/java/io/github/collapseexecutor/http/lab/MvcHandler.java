package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.lab.LabHandler.Kind;
import io.github.collapseexecutor.http.lab.LabStep.What;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.AsyncSupportConfigurer;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Does what a handler of the lab does, as a method of a Spring MVC controller: it says the head at once, and gives the body later. */
final class MvcHandler {

    /** The request attribute with the handler that a request is for. */
    static final String HANDLER = "lab.handler";

    /** The request attribute with the future of the moment from which a handler goes on. */
    static final String GATHERED = "lab.gathered";

    private MvcHandler() {}

    static DispatcherServlet servlet(ExecutorService threads) {
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("labThreads", threads));
        context.register(Application.class, Controller.class);
        return new DispatcherServlet(context);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Application {

        @Bean
        WebMvcConfigurer asynchronous(ExecutorService threads) {
            return new WebMvcConfigurer() {
                @Override
                public void configureAsyncSupport(AsyncSupportConfigurer configurer) {
                    configurer.setTaskExecutor(new TaskExecutorAdapter(threads));
                }
            };
        }
    }

    @RestController
    static class Controller {

        // immutable
        private final ExecutorService threads;

        Controller(ExecutorService threads) {
            this.threads = threads;
        }

        @RequestMapping("/**")
        Object handle(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
            LabHandler handler = (LabHandler) request.getAttribute(HANDLER);
            CompletableFuture<?> gathered = (CompletableFuture<?>) request.getAttribute(GATHERED);
            LabStep.Values values = ServletHandler.valuesOf(request);
            ServletHandler.run(
                    handler.steps().stream().filter(ServletHandler::isOfHead).toList(), request, response);
            List<LabStep> steps = handler.steps().stream()
                    .filter(step -> !ServletHandler.isOfHead(step))
                    .toList();
            return result(handler.kind(), steps, values, gathered);
        }

        private Object result(Kind kind, List<LabStep> steps, LabStep.Values values, CompletableFuture<?> gathered) {
            return switch (kind) {
                case CALLABLE ->
                    (Callable<Object>) () -> {
                        gathered.join();
                        return entity(steps, values);
                    };
                case DEFERRED_RESULT -> deferred(steps, values, gathered);
                case FUTURE -> gathered.thenApplyAsync(nothing -> entity(steps, values), threads);
                case MONO -> Mono.fromFuture(gathered.thenApplyAsync(nothing -> entity(steps, values), threads));
                case STREAMING_BODY ->
                    (StreamingResponseBody) out -> {
                        gathered.join();
                        LabPauses.maybe();
                        for (LabStep step : steps) {
                            switch (step.what()) {
                                case WRITE_TEXT, WRITE_BYTES -> out.write(ServletHandler.bytes(step.textFor(values)));
                                case FLUSH, FLUSH_BODY -> out.flush();
                                case CLOSE, CLOSE_WRITER -> out.close();
                                default -> throwIf(step);
                            }
                            LabPauses.maybe();
                        }
                    };
                case FLUX ->
                    Flux.fromIterable(steps)
                            .filter(LabStep::writes)
                            .map(step -> step.textFor(values))
                            .delaySubscription(Mono.fromFuture(gathered));
                case EMITTER -> emit(new ResponseBodyEmitter(), steps, values, gathered);
                case EVENTS -> emit(new SseEmitter(), steps, values, gathered);
                default -> throw new AssertionError(kind);
            };
        }

        private DeferredResult<Object> deferred(
                List<LabStep> steps, LabStep.Values values, CompletableFuture<?> gathered) {
            DeferredResult<Object> result = new DeferredResult<>();
            CompletableFuture<?> unused = gathered.thenRunAsync(
                    () -> {
                        LabPauses.maybe();
                        try {
                            result.setResult(entity(steps, values));
                        } catch (LabFailure e) {
                            result.setErrorResult(e);
                        }
                    },
                    threads);
            LabPauses.maybe();
            return result;
        }

        private ResponseBodyEmitter emit(
                ResponseBodyEmitter emitter,
                List<LabStep> steps,
                LabStep.Values values,
                CompletableFuture<?> gathered) {
            CompletableFuture<?> unused = gathered.thenRunAsync(
                    () -> {
                        try {
                            for (LabStep step : steps) {
                                LabPauses.maybe();
                                if (step.writes()) {
                                    emitter.send(step.textFor(values), MediaType.TEXT_PLAIN);
                                } else {
                                    throwIf(step);
                                }
                            }
                            emitter.complete();
                        } catch (IOException | LabFailure e) {
                            emitter.completeWithError(e);
                        }
                    },
                    threads);
            LabPauses.maybe();
            return emitter;
        }

        private static void throwIf(LabStep step) {
            if (step.what() == What.THROW_CHECKED || step.what() == What.THROW_UNCHECKED) {
                throw new LabFailure(step.text());
            }
        }

        private static ResponseEntity<String> entity(List<LabStep> steps, LabStep.Values values) {
            LabPauses.maybe();
            steps.forEach(Controller::throwIf);
            String body = steps.stream()
                    .filter(LabStep::writes)
                    .map(step -> step.textFor(values))
                    .collect(Collectors.joining());
            ResponseEntity.BodyBuilder built = ResponseEntity.status(steps.stream()
                    .filter(step -> step.what() == What.SEND_ERROR)
                    .mapToInt(LabStep::number)
                    .findFirst()
                    .orElse(200));
            return body.isEmpty() ? built.build() : built.body(body);
        }
    }
}

package io.github.collapseexecutor.foreign.client;

import feign.Logger;
import feign.Response;
import feign.RetryableException;
import io.github.collapseexecutor.foreign.client.Question.Reading;
import io.github.collapseexecutor.http.feign.CollapseFeignCapability;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerAutoConfiguration;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClient;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerCacheAutoConfiguration;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.openfeign.FeignAutoConfiguration;
import org.springframework.cloud.openfeign.FeignClientBuilder;
import org.springframework.cloud.openfeign.loadbalancer.FeignLoadBalancerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import reactor.core.publisher.Flux;

/** Spring Cloud OpenFeign, whose load balancer chooses among two addresses of the origin, which it caches. */
final class CloudFeignLibrary implements Library {

    private static final String SERVICE = "foreign";

    /** The API that is called. */
    interface Texts {

        @GetMapping
        Response response(URI uri, @RequestHeader("Authorization") String user);

        @GetMapping
        ResponseEntity<String> text(URI uri, @RequestHeader("Authorization") String user);

        @GetMapping
        ResponseEntity<Void> nothing(URI uri, @RequestHeader("Authorization") String user);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        UtilAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class,
        LoadBalancerCacheAutoConfiguration.class,
        org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration.class,
        BlockingLoadBalancerClientAutoConfiguration.class,
        LoadBalancerAutoConfiguration.class,
        FeignLoadBalancerAutoConfiguration.class,
        FeignAutoConfiguration.class
    })
    @LoadBalancerClient(name = SERVICE, configuration = Instances.class)
    static class Application {}

    /** The port of the origin, which is known with the first question. */
    static final class Port extends AtomicInteger {

        private static final long serialVersionUID = 1;
    }

    /** Beans of the load balancer. */
    static class Instances {

        @Bean
        ServiceInstanceListSupplier supplier(ConfigurableApplicationContext context, Port port) {
            return ServiceInstanceListSupplier.builder()
                    .withBase(new ServiceInstanceListSupplier() {
                        @Override
                        public String getServiceId() {
                            return SERVICE;
                        }

                        @Override
                        public Flux<List<ServiceInstance>> get() {
                            return Flux.defer(() -> Flux.just(List.of(
                                    new DefaultServiceInstance("one", SERVICE, "127.0.0.1", port.get(), false),
                                    new DefaultServiceInstance("two", SERVICE, "localhost", port.get(), false))));
                        }
                    })
                    .withCaching()
                    .build(context);
        }
    }

    @Override
    public Asker make(Draw draw) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("logging.level.root", "off");
        properties.put("spring.main.lazy-initialization", draw.oneOf(2, "lazy"));
        properties.put("spring.cloud.loadbalancer.retry.enabled", draw.oneOf(2, "retries of the load balancer"));
        properties.put("spring.cloud.openfeign.compression.response.enabled", draw.oneOf(2, "compression"));
        properties.put(
                "spring.cloud.openfeign.client.config.default.logger-level", draw.pick(List.of(Logger.Level.values())));
        properties.put("spring.cloud.openfeign.client.config.default.follow-redirects", draw.oneOf(2, "follows"));
        properties.put("spring.cloud.openfeign.client.config.default.dismiss404", draw.oneOf(3, "404 is decoded"));
        Port port = new Port();
        CollapseFeignCapability ours = new CollapseFeignCapability(draw.http(), draw.core());
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .properties(properties)
                .initializers(started -> {
                    GenericApplicationContext beans = (GenericApplicationContext) started;
                    beans.registerBean(Port.class, () -> port);
                    if (draw.collapses()) {
                        beans.registerBean(CollapseFeignCapability.class, () -> ours);
                    }
                })
                .run();
        return new OfFeign(
                new FeignClientBuilder(context).forType(Texts.class, SERVICE).build(), port, context);
    }

    private record OfFeign(Texts texts, Port port, ConfigurableApplicationContext context) implements Asker {

        @Override
        public void ask(URI uri, Reply reply) throws Exception {
            port.set(uri.getPort());
            Question question = reply.question();
            URI service = URI.create("http://" + SERVICE + uri.getPath());
            String user = "Bearer " + question.user();
            if (question.reading() == Reading.TEXT) {
                ResponseEntity<String> text = texts.text(service, user);
                head(text, reply);
                reply.text(text.getBody());
                return;
            }
            if (question.reading() == Reading.HEAD) {
                head(texts.nothing(service, user), reply);
                return;
            }
            try (Response response = texts.response(service, user)) {
                reply.status(response.status());
                response.headers().forEach((name, values) -> reply.header(name, values.toString()));
                if (response.body() != null) {
                    reply.read(response.body().asInputStream());
                }
            } catch (RetryableException e) {
                throw e.getCause() instanceof IOException cause ? cause : e;
            }
        }

        private static void head(ResponseEntity<?> entity, Reply reply) {
            reply.status(entity.getStatusCode().value());
            entity.getHeaders().forEach((name, values) -> reply.header(name, values.toString()));
        }

        @Override
        public void close() {
            context.close();
        }
    }
}

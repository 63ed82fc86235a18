package sample;

import java.util.function.LongFunction;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.HttpServiceGroup;
import org.springframework.web.service.registry.ImportHttpServices;

/** Interfaces of three groups as functions, which a test can call that does not know the interfaces. */
@Configuration(proxyBeanMethods = false)
@ImportHttpServices(group = "stock", types = Calls.StockService.class)
@ImportHttpServices(
        group = "reactive",
        types = Calls.ReactiveService.class,
        clientType = HttpServiceGroup.ClientType.WEB_CLIENT)
public class Calls {

    /** Of another group, at the same address. */
    public interface StockService {
        @GetExchange("/user/{id}")
        String find(@PathVariable("id") long id);
    }

    public interface ReactiveService {
        @GetExchange("/user/{id}")
        String find(@PathVariable("id") long id);
    }

    @Bean
    LongFunction<String> users(HttpServices.UserService users) {
        return users::find;
    }

    @Bean
    LongFunction<String> stock(StockService stock) {
        return stock::find;
    }

    @Bean
    LongFunction<String> reactive(ReactiveService service) {
        return service::find;
    }

    /** The user of whom a thread is, which an interceptor of the application adds. */
    @Bean
    ThreadLocal<String> user() {
        return new ThreadLocal<>();
    }

    @Bean
    RestClientHttpServiceGroupConfigurer token(ThreadLocal<String> user) {
        return groups -> groups.forEachClient((group, builder) -> builder.requestInterceptor((request, body, execution) -> {
            if (user.get() != null) {
                request.getHeaders().set("Authorization", user.get());
            }
            return execution.execute(request, body);
        }));
    }
}

package sample;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.ImportHttpServices;

/** What a page shows; compiled by HttpServiceGroupsTests, where Spring Framework has such groups. */
public class HttpServices {

    // readme:begin http-service-group
    public interface UserService {

        @GetExchange("/user/{id}")
        String find(@PathVariable("id") long id);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportHttpServices(group = "users", types = UserService.class)
    public static class Groups {}
    // readme:end
}

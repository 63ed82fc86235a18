package sample;

import io.github.collapseexecutor.spring.boot.AheadOfTimeReactiveApplication;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application with groups of HTTP services, which AheadOfTimeTests processes and starts. */
@Configuration(proxyBeanMethods = false)
@Import({AheadOfTimeReactiveApplication.class, HttpServices.Groups.class, Calls.class})
public class AheadOfTimeGroups {

    public static void main(String[] arguments) throws Exception {
        AheadOfTimeReactiveApplication.run(AheadOfTimeGroups.class, arguments);
    }
}

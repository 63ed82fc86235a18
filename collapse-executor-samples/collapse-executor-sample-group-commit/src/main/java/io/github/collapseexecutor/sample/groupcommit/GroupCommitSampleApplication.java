package io.github.collapseexecutor.sample.groupcommit;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The shop: stays up for {@code curl}; with {@code --load} it puts itself under load instead, draws what came of it and ends.
 */
@SpringBootApplication
public class GroupCommitSampleApplication {

    /** Starts it. */
    public static void main(String[] arguments) throws Exception {
        ConfigurableApplicationContext application =
                SpringApplication.run(GroupCommitSampleApplication.class, arguments);
        if (application.getEnvironment().containsProperty("load")) {
            boolean correct = application.getBean(LoadRun.class).run();
            System.exit(SpringApplication.exit(application, () -> correct ? 0 : 1));
        }
    }
}

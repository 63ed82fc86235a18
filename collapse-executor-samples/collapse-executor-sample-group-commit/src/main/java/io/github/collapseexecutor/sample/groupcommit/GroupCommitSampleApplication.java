package io.github.collapseexecutor.sample.groupcommit;

import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * The shop: stays up for {@code curl}; with {@code --load}, {@code --load.ramp}, {@code --load.requests} or {@code --load.hang} it puts itself under
 * load instead, draws what came of it and ends.
 */
@SpringBootApplication
public class GroupCommitSampleApplication {

    /** Starts it. */
    public static void main(String[] arguments) throws Exception {
        ConfigurableApplicationContext application =
                SpringApplication.run(GroupCommitSampleApplication.class, arguments);
        Optional<Class<? extends Experiment>> experiment = experiment(application.getEnvironment());
        if (experiment.isPresent()) {
            boolean correct;
            try (application) { // also if it fails: else the server would keep the JVM up
                correct = application.getBean(experiment.get()).run();
            }
            System.exit(correct ? 0 : 1);
        }
    }

    /** What the shop was started for; nothing for an ordinary shop. */
    static Optional<Class<? extends Experiment>> experiment(Environment environment) {
        if (environment.containsProperty("load.ramp")) {
            return Optional.of(RampRun.class);
        }
        if (environment.containsProperty("load.hang")) {
            return Optional.of(HangRun.class);
        }
        if (environment.containsProperty("load.requests")) {
            return Optional.of(GroupSizeRun.class);
        }
        return environment.containsProperty("load") ? Optional.of(LoadRun.class) : Optional.empty();
    }
}

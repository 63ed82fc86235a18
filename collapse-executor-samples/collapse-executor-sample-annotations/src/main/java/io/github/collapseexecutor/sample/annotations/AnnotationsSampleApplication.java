package io.github.collapseexecutor.sample.annotations;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;

/** The application; no line of it is about collapsing. */
@SpringBootApplication
@EnableMethodSecurity
public class AnnotationsSampleApplication {

    /**
     * Starts the application.
     *
     * @param arguments those of Spring Boot
     */
    public static void main(String... arguments) {
        SpringApplication.run(AnnotationsSampleApplication.class, arguments);
    }
}

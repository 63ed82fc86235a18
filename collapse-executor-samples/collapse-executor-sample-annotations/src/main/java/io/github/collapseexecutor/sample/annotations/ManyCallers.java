package io.github.collapseexecutor.sample.annotations;

import jakarta.persistence.EntityManagerFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the application, has 200 callers ask for one user each at the same time, and prints how many statements the database got. */
public final class ManyCallers {

    private static final int CALLERS = 200;

    private ManyCallers() {}

    /** Runs it; takes the arguments of Spring Boot. */
    public static void main(String[] arguments) throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(AnnotationsSampleApplication.class)
                .properties("spring.jpa.properties.hibernate.generate_statistics=true")
                .run(arguments)) {
            context.getBean(UserRepository.class)
                    .saveAll(LongStream.rangeClosed(1, CALLERS)
                            .mapToObj(id -> new User(id, "user " + id))
                            .toList());
            Statistics statistics = context.getBean(EntityManagerFactory.class)
                    .unwrap(SessionFactory.class)
                    .getStatistics();
            statistics.clear();
            askAll(context.getBean(UserService.class));
            System.out.printf("%d callers, %d statements%n", CALLERS, statistics.getPrepareStatementCount());
        }
    }

    private static void askAll(UserService service) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            for (Future<User> answer : callers.invokeAll(LongStream.rangeClosed(1, CALLERS)
                    .<Callable<User>>mapToObj(id -> () -> service.user(id))
                    .toList())) {
                answer.get();
            }
        } finally {
            callers.shutdown();
        }
    }
}

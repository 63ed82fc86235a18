package io.github.collapseexecutor.foreign.writes;

import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.batch.core.JobExecution;
import org.springframework.batch.core.JobParameters;
import org.springframework.batch.core.Step;
import org.springframework.batch.core.StepExecution;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.repository.support.ResourcelessJobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.item.support.ListItemReader;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The transaction of a step of Spring Batch, in which its writer runs. */
final class BatchTransactions implements Transactions {

    @Override
    public Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) {
        JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
        JdbcTemplate template = new JdbcTemplate(dataSource);
        Own own = text -> template.update(Own.SQL, text);
        return work -> {
            JobRepository repository = new ResourcelessJobRepository();
            JobExecution job = repository.createJobExecution("job", new JobParameters());
            StepExecution execution = job.createStepExecution("step");
            repository.add(execution);
            Step step = new StepBuilder("step", repository)
                    .<Work, Work>chunk(1, manager)
                    .reader(new ListItemReader<>(java.util.List.of(work)))
                    .writer(chunk -> chunk.getItems().get(0).run(own))
                    .build();
            step.execute(execution);
            if (!execution.getFailureExceptions().isEmpty()) {
                throw new IllegalStateException(execution.getFailureExceptions().get(0));
            }
        };
    }
}

package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.MergedUpdate;
import io.github.collapseexecutor.jdbc.MergedUpdates;
import io.github.collapseexecutor.jdbc.RowStatement;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.writes.NamedWriters;
import io.github.collapseexecutor.spring.jdbc.GroupCommitTemplate;
import java.sql.SQLException;
import org.apache.ibatis.executor.parameter.ParameterHandler;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The application that the YAML of the writers is for. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({SpringWriteExamples.Notes.class, SpringWriteExamples.Numbers.class})
class SpringWriteExamples {

    // readme:begin spring-write
    record Notes(GroupCommitTemplate template) {

        long add(String text) {
            return template.insert("INSERT INTO note (text) VALUES (?)", "id", text);
        }
    }
    // readme:end

    // readme:begin spring-merged
    @Bean
    MergedUpdates<Long, Integer> stock(NamedWriters writers, MergedUpdate<Long, Integer> deduction) {
        return writers.mergedUpdates("stock", deduction);
    }
    // readme:end

    @Bean
    MergedUpdate<Long, Integer> deduction() {
        return MergedUpdate.of(
                "UPDATE inventory SET balance = balance - ? WHERE goods_id = ? AND balance >= ?",
                (statement, goodsId, count) -> {
                    statement.setInt(1, count);
                    statement.setLong(2, goodsId);
                    statement.setInt(3, count);
                },
                Math::addExact);
    }

    // readme:begin spring-numbers
    record Numbers(Sequences sequences) {

        long next() throws InterruptedException {
            return sequences.next("order_id");
        }
    }
    // readme:end

    /** What a mapper of MyBatis would write. */
    // readme:begin mybatis-write
    static int write(GroupCommit commits, MappedStatement mapped, Object row)
            throws SQLException, InterruptedException {
        BoundSql bound = mapped.getBoundSql(row);
        ParameterHandler parameters = mapped.getConfiguration().newParameterHandler(mapped, row, bound);
        return commits.execute(RowStatement.of(bound.getSql()), parameters::setParameters)
                .updateCount();
    }
    // readme:end
}

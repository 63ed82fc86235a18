package io.github.collapseexecutor.foreign.writes;

import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.TransactionFactory;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.transaction.SpringManagedTransactionFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A mapper of MyBatis, in transactions of Spring or in those of its own sessions. */
record MyBatisTransactions(boolean areNoticed) implements Transactions {

    /** Its statement. */
    interface Mapper {
        @Insert("INSERT INTO f_own (text) VALUES (#{text})")
        int insert(String text);
    }

    private static SqlSessionFactory sessions(DataSource dataSource, TransactionFactory transactions) {
        Configuration configuration = new Configuration(new Environment("foreign", transactions, dataSource));
        configuration.addMapper(Mapper.class);
        return new SqlSessionFactoryBuilder().build(configuration);
    }

    @Override
    public Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) {
        if (areNoticed) {
            Mapper mapper = new SqlSessionTemplate(sessions(dataSource, new SpringManagedTransactionFactory()))
                    .getMapper(Mapper.class);
            return SpringTransactions.of(new JdbcTransactionManager(dataSource), mapper::insert);
        }
        SqlSessionFactory sessions = sessions(dataSource, new JdbcTransactionFactory());
        return work -> {
            try (SqlSession session = sessions.openSession()) { // rolls back what is not committed
                work.run(session.getMapper(Mapper.class)::insert);
                session.commit();
            }
        };
    }
}

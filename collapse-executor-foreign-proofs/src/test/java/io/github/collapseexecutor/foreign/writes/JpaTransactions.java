package io.github.collapseexecutor.foreign.writes;

import jakarta.persistence.EntityManager;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.dialect.H2Dialect;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/** Spring's transactions of Hibernate. */
final class JpaTransactions implements Transactions {

    @Override
    public Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(dataSource);
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.setPackagesToScan(JpaTransactions.class.getPackageName());
        factory.setJpaPropertyMap(Map.of(
                "hibernate.boot.allow_jdbc_metadata_access", "false", "hibernate.dialect", H2Dialect.class.getName()));
        factory.afterPropertiesSet();
        closing.accept(factory::destroy);
        EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(factory.getObject());
        return SpringTransactions.of(
                new JpaTransactionManager(factory.getObject()),
                text -> entities.createNativeQuery(Own.SQL.replace("?", ":text"))
                        .setParameter("text", text)
                        .executeUpdate());
    }
}

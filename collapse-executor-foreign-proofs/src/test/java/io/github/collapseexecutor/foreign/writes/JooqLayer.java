package io.github.collapseexecutor.foreign.writes;

import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** jOOQ's parser, and its diagnostics, for statements of applications that do not use jOOQ. */
final class JooqLayer implements Layer {

    /** The parser translates a batch for the types of its first row, and the diagnostics do not return each key. */
    @Override
    public boolean takes(Shape shape) {
        return shape.key().isEmpty() && !shape.mixesTypes();
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        DSLContext context = DSL.using(
                target,
                switch (server) {
                    case H2, H2_AS_MYSQL, H2_AS_POSTGRESQL -> SQLDialect.H2;
                    case MARIADB, MYSQL -> SQLDialect.MARIADB;
                    case POSTGRESQL -> SQLDialect.POSTGRES;
                });
        return random.nextBoolean() ? context.diagnosticsDataSource() : context.parsingDataSource();
    }
}

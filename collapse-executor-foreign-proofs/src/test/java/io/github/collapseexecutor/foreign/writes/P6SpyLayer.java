package io.github.collapseexecutor.foreign.writes;

import com.p6spy.engine.spy.P6DataSource;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** P6Spy. */
final class P6SpyLayer implements Layer {

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        return new P6DataSource(target);
    }
}

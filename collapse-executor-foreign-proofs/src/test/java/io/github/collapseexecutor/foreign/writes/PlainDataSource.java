package io.github.collapseexecutor.foreign.writes;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A data source that gives connections and nothing else: pools ask for login time-outs, or for XA, where the library below has none. */
final class PlainDataSource extends DelegatingDataSource {

    PlainDataSource(DataSource target) {
        super(target);
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // The driver answers at once here.
    }
}

package io.github.collapseexecutor.spring.annotation;

import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/** The queries of a repository, of which a test is told before each. */
public final class WatchedStatements extends NamedParameterJdbcTemplate {

    // immutable
    private final Consumer<String> before;

    /** Takes what is told the SQL, and may wait. */
    public WatchedStatements(DataSource dataSource, Consumer<String> before) {
        super(dataSource);
        this.before = before;
    }

    @Override
    public <T> T query(String sql, SqlParameterSource parameters, ResultSetExtractor<T> extractor) {
        before.accept(sql);
        return super.query(sql, parameters, extractor);
    }

    @Override
    public <T> List<T> query(String sql, SqlParameterSource parameters, RowMapper<T> mapper) {
        before.accept(sql);
        return super.query(sql, parameters, mapper);
    }
}

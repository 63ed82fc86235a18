package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A statement that writes many rows of an INSERT, together with their values: it writes all of them, in order, or none. */
interface OneStatement {

    String sql();

    int parameters();

    /** Sets the parameters of the statement, which was prepared over the connection. */
    void set(Connection connection, PreparedStatement prepared) throws SQLException;
}

package io.github.collapseexecutor.foreign.writes;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Connections of a data source for managers of global transactions, each of which has one of them only. */
final class LocalXaSource extends DelegatingDataSource implements XADataSource {

    LocalXaSource(DataSource target) {
        super(new PlainDataSource(target));
    }

    @Override
    public XAConnection getXAConnection() throws SQLException {
        SingleConnectionDataSource connection = new SingleConnectionDataSource(getConnection(), true);
        XAResource resource = resource(connection);
        return (XAConnection) Proxy.newProxyInstance(
                LocalXaSource.class.getClassLoader(),
                new Class<?>[] {XAConnection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getConnection" -> connection.getConnection();
                    case "getXAResource" -> resource;
                    case "close" -> {
                        connection.destroy();
                        yield null;
                    }
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "connection of " + connection;
                    default -> null; // listeners, of whom nobody is told
                });
    }

    @Override
    public XAConnection getXAConnection(String user, String password) throws SQLException {
        return getXAConnection();
    }

    private static XAResource resource(DataSource single) {
        return (XAResource) Proxy.newProxyInstance(
                LocalXaSource.class.getClassLoader(), new Class<?>[] {XAResource.class}, (proxy, method, arguments) -> {
                    try {
                        Connection connection = single.getConnection();
                        switch (method.getName()) {
                            case "start" -> connection.setAutoCommit(false);
                            case "commit" -> {
                                connection.commit();
                                connection.setAutoCommit(true);
                            }
                            case "rollback" -> {
                                connection.rollback();
                                connection.setAutoCommit(true);
                            }
                            default -> {}
                        }
                    } catch (SQLException lost) {
                        throw (XAException) new XAException(XAException.XAER_RMFAIL).initCause(lost);
                    }
                    return switch (method.getName()) {
                        case "prepare", "getTransactionTimeout" -> 0;
                        case "setTransactionTimeout" -> false;
                        case "isSameRM", "equals" -> proxy == arguments[0];
                        case "recover" -> new Xid[0];
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "toString" -> "resource of " + single;
                        default -> null;
                    };
                });
    }
}

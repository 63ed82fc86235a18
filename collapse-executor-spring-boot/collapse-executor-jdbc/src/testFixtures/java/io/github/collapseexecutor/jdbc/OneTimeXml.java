package io.github.collapseexecutor.jdbc;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.Writer;
import java.sql.SQLException;
import java.sql.SQLXML;
import javax.xml.transform.Result;
import javax.xml.transform.Source;

/** XML that can be read once, as JDBC allows it to be. */
final class OneTimeXml implements SQLXML {

    private final String text;
    private boolean read;

    OneTimeXml(String text) {
        this.text = text;
    }

    @Override
    public String getString() throws SQLException {
        if (read) {
            throw new SQLException("read already");
        }
        read = true;
        return text;
    }

    @Override
    public Reader getCharacterStream() throws SQLException {
        return new StringReader(getString());
    }

    @Override
    public void free() {}

    @Override
    public InputStream getBinaryStream() {
        throw new UnsupportedOperationException();
    }

    @Override
    public OutputStream setBinaryStream() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Writer setCharacterStream() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setString(String value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T extends Source> T getSource(Class<T> type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T extends Result> T setResult(Class<T> type) {
        throw new UnsupportedOperationException();
    }
}

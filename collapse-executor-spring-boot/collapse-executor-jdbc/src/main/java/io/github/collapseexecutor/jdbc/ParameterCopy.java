package io.github.collapseexecutor.jdbc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLXML;
import javax.sql.rowset.serial.SerialBlob;
import javax.sql.rowset.serial.SerialClob;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a parameter that can be read once only, such as a stream: a batch may be executed several times, and a row has
 * to be the same each time.
 */
final class ParameterCopy {

    /** A longer parameter is refused: it has to stay in memory until its row is written. */
    static final int MAX_LENGTH = 1 << 24;

    private enum Kind {
        STREAM,
        READER,
        BLOB,
        CLOB,
        NCLOB,
        XML
    }

    // immutable
    private final Kind kind;
    private final byte[] bytes;
    private final String text;

    private ParameterCopy(Kind kind, byte[] bytes, String text) {
        this.kind = kind;
        this.bytes = bytes;
        this.text = text;
    }

    /** Whether a parameter may give its content only once, or only while its connection is open. */
    static boolean isNeededOf(@Nullable Object parameter) {
        return parameter instanceof InputStream
                || parameter instanceof Reader
                || parameter instanceof Blob
                || parameter instanceof Clob
                || parameter instanceof SQLXML;
    }

    /**
     * Reads a parameter that {@linkplain #isNeededOf needs} it.
     *
     * @throws IllegalArgumentException if it cannot be read, or is longer than {@link #MAX_LENGTH}
     */
    static ParameterCopy of(Object parameter) {
        try {
            if (parameter instanceof InputStream stream) {
                return new ParameterCopy(Kind.STREAM, read(stream), "");
            }
            if (parameter instanceof Reader reader) {
                return new ParameterCopy(Kind.READER, new byte[0], read(reader));
            }
            if (parameter instanceof Blob blob) {
                try (InputStream stream = blob.getBinaryStream()) {
                    return new ParameterCopy(Kind.BLOB, read(stream), "");
                }
            }
            if (parameter instanceof Clob clob) {
                try (Reader reader = clob.getCharacterStream()) {
                    return new ParameterCopy(clob instanceof NClob ? Kind.NCLOB : Kind.CLOB, new byte[0], read(reader));
                }
            }
            if (parameter instanceof SQLXML xml) {
                return new ParameterCopy(Kind.XML, new byte[0], bounded(xml.getString()));
            }
        } catch (IOException | SQLException e) {
            throw new IllegalArgumentException("A parameter cannot be read, so its row is not written: " + e, e);
        }
        throw new IllegalArgumentException("A parameter of " + parameter.getClass() + " needs no copy");
    }

    private static byte[] read(InputStream stream) throws IOException {
        byte[] bytes = stream.readNBytes(MAX_LENGTH + 1);
        checkLength(bytes.length);
        return bytes;
    }

    private static String read(Reader reader) throws IOException {
        StringBuilder text = new StringBuilder();
        char[] buffer = new char[1 << 13];
        for (int read = reader.read(buffer); read >= 0; read = reader.read(buffer)) {
            text.append(buffer, 0, read);
            checkLength(text.length());
        }
        return text.toString();
    }

    private static String bounded(String text) {
        checkLength(text.length());
        return text;
    }

    private static void checkLength(int length) {
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException("A parameter that can be read once is longer than " + MAX_LENGTH
                    + " bytes or characters, so its row is not written: give it as byte[] or String");
        }
    }

    /** About how many bytes it takes to send it. */
    long size() {
        return bytes.length + 2L * text.length();
    }

    /** Sets the parameter of a statement, by the method that is meant for its type. */
    void set(PreparedStatement statement, int position) throws SQLException {
        switch (kind) {
            case STREAM -> statement.setBinaryStream(position, new ByteArrayInputStream(bytes), bytes.length);
            case READER -> statement.setCharacterStream(position, new StringReader(text), text.length());
            case BLOB -> statement.setBlob(position, new SerialBlob(bytes));
            case CLOB, NCLOB -> statement.setClob(position, new SerialClob(text.toCharArray()));
            case XML -> setXml(statement, position);
        }
    }

    private void setXml(PreparedStatement statement, int position) throws SQLException {
        Connection connection = statement.getConnection();
        if (connection.getMetaData().getDriverName().startsWith("MariaDB")) {
            // It has no XML, and a pool may give a connection up of which such a feature is asked.
            statement.setString(position, text);
        } else {
            statement.setSQLXML(position, xml(connection));
        }
    }

    /** Returns what can be read again, of the type that the copied parameter had. */
    Object again(Connection connection) throws SQLException {
        return switch (kind) {
            case STREAM -> new ByteArrayInputStream(bytes);
            case READER -> new StringReader(text);
            case BLOB -> new SerialBlob(bytes);
            case CLOB -> new SerialClob(text.toCharArray());
            case NCLOB -> nationalText(connection);
            case XML -> xml(connection);
        };
    }

    private NClob nationalText(Connection connection) throws SQLException {
        NClob clob = connection.createNClob();
        clob.setString(1, text);
        return clob;
    }

    private SQLXML xml(Connection connection) throws SQLException {
        SQLXML xml = connection.createSQLXML();
        xml.setString(text);
        return xml;
    }
}

package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.message.HttpFields;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a response that may be shared goes to other instances: status, end-to-end headers, body, and by which request headers the
 * origin chose it, with the values of the request that was sent. Public for other packages of the library only.
 */
public final class StoredResponse {

    private static final byte VERSION = 1;
    private static final int NULL = -1;

    private StoredResponse() {}

    /** Writes a response whose head may be shared. */
    public static byte[] bytesOf(ShareableHead head, byte[] body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length + 512);
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(VERSION);
            out.writeShort(head.status());
            out.writeBoolean(head.isForWaitingOnly());
            writeText(out, head.reason());
            writeFields(out, head.othersFields());
            VaryMatch vary = head.varyMatch();
            writeTexts(out, vary.names());
            writeTexts(out, vary.codings());
            writeFields(out, HttpFields.copyOf(vary::forEachChoice));
            out.writeInt(body.length);
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // an array can be written to
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #bytesOf} wrote on another instance.
     *
     * @param askedAt when this instance asked: requests that came later have not waited for the response
     * @param cacheStatus what is added to {@code Cache-Status}, or null
     * @throws IOException if it is anything else
     */
    public static SharedResponse read(byte[] bytes, long askedAt, @Nullable String cacheStatus) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        byte version = in.readByte();
        if (version != VERSION) {
            throw new IOException("The form " + version + " of a stored response is not known here");
        }
        int status = in.readUnsignedShort();
        boolean forWaitingOnly = in.readBoolean();
        String reason = textOf(in);
        HttpFields fields = fieldsOf(in);
        List<String> names = textsOf(in);
        List<String> codings = textsOf(in);
        VaryMatch vary = new VaryMatch(names, codings, fieldsOf(in));
        byte[] body = bytesOf(in, in.readInt());
        if (in.read() >= 0) {
            throw new IOException("A stored response has an end, and more bytes follow");
        }
        @Nullable Long waitingSince = forWaitingOnly ? askedAt : null;
        return new SharedResponse(
                new ShareableHead(status, reason, fields, false, vary, waitingSince, false, cacheStatus), body, null);
    }

    private static void writeFields(DataOutputStream out, HttpFields fields) throws IOException {
        List<HttpFields.Field> all = new ArrayList<>();
        fields.forEach((name, field) -> all.add(field));
        out.writeInt(all.size());
        for (HttpFields.Field field : all) {
            writeText(out, field.name());
            writeTexts(out, field.values());
        }
    }

    private static HttpFields fieldsOf(DataInputStream in) throws IOException {
        List<HttpFields.Field> all = new ArrayList<>();
        int size = in.readInt();
        for (int i = 0; i < size; i++) {
            all.add(new HttpFields.Field(textOf(in), textsOrNullOf(in)));
        }
        return HttpFields.copyOf(action -> all.forEach(field -> action.accept(field.name(), field.values())));
    }

    private static void writeTexts(DataOutputStream out, List<? extends @Nullable String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            writeText(out, text);
        }
    }

    private static List<String> textsOf(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (String text : textsOrNullOf(in)) {
            if (text == null) {
                throw new IOException("A stored name is missing");
            }
            texts.add(text);
        }
        return texts;
    }

    private static List<@Nullable String> textsOrNullOf(DataInputStream in) throws IOException {
        List<@Nullable String> texts = new ArrayList<>();
        int size = in.readInt();
        for (int i = 0; i < size; i++) {
            texts.add(textOrNullOf(in));
        }
        return texts;
    }

    private static void writeText(DataOutputStream out, @Nullable String text) throws IOException {
        if (text == null) {
            out.writeInt(NULL);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String textOf(DataInputStream in) throws IOException {
        String text = textOrNullOf(in);
        if (text == null) {
            throw new IOException("A stored text is missing");
        }
        return text;
    }

    private static @Nullable String textOrNullOf(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length == NULL ? null : new String(bytesOf(in, length), StandardCharsets.UTF_8);
    }

    private static byte[] bytesOf(DataInputStream in, int length) throws IOException {
        if (length < 0 || length > in.available()) {
            throw new EOFException("A stored response says that " + length + " bytes follow, and fewer do");
        }
        return in.readNBytes(length);
    }
}

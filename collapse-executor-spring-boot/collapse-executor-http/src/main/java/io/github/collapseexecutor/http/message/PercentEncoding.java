package io.github.collapseexecutor.http.message;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Percent-encoding of UTF-8 (RFC 3986 section 2.1), decoded once. Public for other packages of the library only. */
public final class PercentEncoding {

    private PercentEncoding() {}

    /** The decoded text, or null where the encoding is malformed. */
    static @Nullable String decode(String raw) {
        if (raw.indexOf('%') < 0) {
            return raw;
        }
        ByteBuffer bytes = ByteBuffer.allocate(raw.length() * 3);
        for (int i = 0; i < raw.length(); ) {
            if (raw.charAt(i) == '%') {
                if (!isEncodedByte(raw, i)) {
                    return null;
                }
                bytes.put((byte) Integer.parseInt(raw, i + 1, i + 3, 16));
                i += 3;
            } else {
                int end = raw.indexOf('%', i);
                end = end < 0 ? raw.length() : end;
                bytes.put(StandardCharsets.UTF_8.encode(CharBuffer.wrap(raw, i, end)));
                i = end;
            }
        }
        try {
            // a decoder of one's own: it reports malformed input, where String would put a replacement character
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The decoded text, or the raw one where the encoding is malformed. */
    public static String decodeLeniently(String raw) {
        String decoded = decode(raw);
        return decoded == null ? raw : decoded;
    }

    /** Whether a percent sign and two hexadecimal digits stand at an index. */
    public static boolean isEncodedByte(String text, int percent) {
        return percent + 2 < text.length() && isHex(text.charAt(percent + 1)) && isHex(text.charAt(percent + 2));
    }

    private static boolean isHex(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }
}

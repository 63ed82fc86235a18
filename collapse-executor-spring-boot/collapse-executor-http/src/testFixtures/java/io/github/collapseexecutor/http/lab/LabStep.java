package io.github.collapseexecutor.http.lab;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing that a handler does.
 *
 * @param what what it does
 * @param name the name of a header, or nothing
 * @param text a value; {@code {user}} stands for that of the request, {@code {x*9}} for nine letters
 */
record LabStep(What what, String name, String text) {

    /** What a handler may do. */
    enum What {
        STATUS,
        SET_HEADER,
        ADD_HEADER,
        CONTENT_TYPE,
        CHARSET,
        LOCALE,
        LENGTH,
        BUFFER_SIZE,
        WRITE_TEXT,
        WRITE_BYTES,
        FLUSH,
        FLUSH_BODY,
        CLOSE,
        CLOSE_WRITER,
        RESET,
        RESET_BUFFER,
        REDIRECT,
        SEND_ERROR,
        THROW_CHECKED,
        THROW_UNCHECKED,
        COOKIE,
        SESSION,
        VALIDATE,
        READ_BODY,
        /** Compresses the body for requests that accept it. */
        ENCODE
    }

    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)(?:\\*(\\d+))?}");

    /** Gives what a request says. */
    interface Values {

        /**
         * Returns a value of the request.
         *
         * @param name {@code user}, {@code query} and so on
         */
        String value(String name);
    }

    /** The text for one request. */
    String textFor(Values values) {
        Matcher places = PLACE.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (places.find()) {
            String repeated = places.group(2);
            String value = repeated == null
                    ? values.value(places.group(1))
                    : places.group(1).repeat(Integer.parseInt(repeated));
            places.appendReplacement(filled, Matcher.quoteReplacement(value));
        }
        return places.appendTail(filled).toString();
    }

    boolean declaresLength() {
        return what == What.LENGTH;
    }

    boolean writes() {
        return what == What.WRITE_TEXT || what == What.WRITE_BYTES;
    }

    /** Whether it writes more than the buffer of any container holds of a text. */
    boolean writesMuch() {
        return writes() && text.matches(".*\\*(8190|8192|9000|40000|200000)}.*");
    }

    boolean needsWriter() {
        return what == What.WRITE_TEXT || what == What.FLUSH_BODY || what == What.CLOSE_WRITER;
    }

    boolean flushes() {
        return what == What.FLUSH || what == What.FLUSH_BODY;
    }

    boolean setsTag() {
        return what == What.VALIDATE || name.equals("ETag");
    }

    /** Whether Spring fails where it reads the type. */
    boolean setsUnreadableType() {
        return (what == What.CONTENT_TYPE || name.equals("Content-Type"))
                && (text.equals("odd") || text.endsWith("x-unknown"));
    }

    boolean clears() {
        return what == What.RESET || what == What.RESET_BUFFER || endsTheResponse();
    }

    boolean endsTheBody() {
        return what == What.CLOSE || what == What.CLOSE_WRITER;
    }

    boolean fails() {
        return what == What.SEND_ERROR || what == What.THROW_UNCHECKED;
    }

    boolean endsTheResponse() {
        return what == What.REDIRECT || what == What.SEND_ERROR;
    }

    int number() {
        return Integer.parseInt(text);
    }

    @Override
    public String toString() {
        return what + (name.isEmpty() ? "" : " " + name) + (text.isEmpty() ? "" : " \"" + text + "\"");
    }
}

package io.github.collapseexecutor.http.lab;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * One request of a caller.
 *
 * @param method the method
 * @param query the query with its question mark, or nothing
 * @param headers the headers that say who asks, and for which form
 * @param leaves whether the caller leaves as soon as it has asked
 * @param reading what a client's caller reads of the response
 */
record LabCall(String method, String query, List<Map.Entry<String, String>> headers, boolean leaves, Reading reading) {

    /** What a caller reads. */
    enum Reading {
        /** The bytes. */
        WHOLE,
        /** The text, by the charset that the response names, as the library decodes it. */
        TEXT,
        /** Status and headers, and closes the response. */
        HEAD,
        /** The first byte, and closes the response. */
        BEGINNING
    }

    /** Says which application a request is for, and is of no matter to any key. */
    static final String APPLICATION = "Sec-Lab-Application";

    /** Says with which requests it is to meet. */
    static final String MEETING = "Sec-Lab-Meeting";

    boolean isHead() {
        return method.equals("HEAD");
    }

    String body() {
        return method.equals("POST") ? "form=posted" : "";
    }

    byte[] bodyBytes() {
        return body().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * What goes over the wire.
     *
     * @param last whether the connection ends with the response, also if the handler has declared a longer body than it has written
     */
    byte[] bytes(String path, String application, String meeting, boolean last) {
        String body = body();
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(path).append(query).append(" HTTP/1.1\r\nHost: localhost\r\n");
        head.append(APPLICATION).append(": ").append(application).append("\r\n");
        head.append(MEETING).append(": ").append(meeting).append("\r\n");
        headers.forEach(header -> head.append(header.getKey())
                .append(": ")
                .append(header.getValue())
                .append("\r\n"));
        if (last) {
            head.append("Connection: close\r\n");
        }
        if (!body.isEmpty()) {
            head.append("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ")
                    .append(body.length())
                    .append("\r\n");
        }
        return head.append("\r\n").append(body).toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return method + " " + query + " " + headers + (leaves ? " leaves" : "")
                + (reading == Reading.WHOLE ? "" : " reads " + reading);
    }
}

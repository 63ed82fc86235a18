package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.lab.LabHandler.Kind;

/** The filters of the lab, which an application might have in front of the collapsing one. */
enum LabFilter {
    /** Says by a header who asked, and by what the response varies. */
    NAMES_THE_USER(true),
    /** As security libraries do: nothing may be cached, unless the handler says otherwise. */
    CACHE_CONTROL(true),
    /** Gives each response a cookie. */
    COOKIE(true),
    /** Reads the form, and with it the body. */
    READS_THE_FORM(true),
    /** Forces a charset. */
    CHARSET(true),
    /** Says which type a response has unless the handler says otherwise. */
    CONTENT_TYPE(true),
    /** Adds a header to the request. */
    CHANGES_THE_REQUEST(true),
    /** Leaves the user in an attribute. */
    ATTRIBUTE(true),
    /** Answers for a handler that throws. */
    TRANSLATES_FAILURES(true),
    /** Adds a header once the handler is done, if it still can. */
    LATE_HEADER(false),
    /** Makes an entity tag of the body. */
    ETAG(false),
    /** Compresses. */
    GZIP(false),
    /** Holds the body. */
    HOLDS_THE_BODY(false),
    /** Writes the body in capital letters. */
    UPPER_CASE(false);

    // immutable
    private final boolean bearsDispatches;

    LabFilter(boolean bearsDispatches) {
        this.bearsDispatches = bearsDispatches;
    }

    /** Whether the filter does what it is for with a handler of this kind. */
    boolean bears(Kind kind) {
        return bearsDispatches || kind == Kind.DIRECT || (this == ETAG && kind.isOfSpringMvc());
    }

    /** Whether a request may leave the filter without an answer, and come back in a dispatch. */
    boolean bearsDispatches() {
        return bearsDispatches;
    }
}

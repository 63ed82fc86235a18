package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.lab.LabHandler.Kind;
import java.util.List;
import java.util.stream.Stream;

/** The filters of the lab, which an application might have in front of the collapsing one, or behind it. */
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
    UPPER_CASE(false),
    /** Writes something as soon as it is asked for its stream or writer for the first time. */
    BEGINS_WHEN_ASKED(true),
    /** Writes something whenever it is asked for its stream or writer. */
    BEGINS_EACH_TIME(true),
    /** Compresses, and begins with that when it is asked for its stream or writer. */
    GZIP_WHEN_ASKED(false),
    /** Writes who asked, as text, before it hands the request on. */
    WRITES_TEXT_FIRST(true),
    /** The same, as bytes. */
    WRITES_BYTES_FIRST(true),
    /** Hands on a response of another class that does nothing else, as security libraries do. */
    WRAPS(true),
    /** Forwards the request to the handler. */
    FORWARDS(true),
    /** The same by the name of its servlet. */
    FORWARDS_BY_NAME(true),
    /** Includes the handler. */
    INCLUDES(false),
    /** The same by the name of its servlet. */
    INCLUDES_BY_NAME(false);

    /** Those that write when they are asked. */
    static final List<LabFilter> BEGINNING = List.of(BEGINS_WHEN_ASKED, BEGINS_EACH_TIME, GZIP_WHEN_ASKED);

    /** Those that may stand behind the collapsing one, as a part of its handler: they add nothing of the user. */
    static final List<LabFilter> BEHIND = List.of(
            BEGINS_WHEN_ASKED,
            BEGINS_WHEN_ASKED,
            BEGINS_EACH_TIME,
            GZIP_WHEN_ASKED,
            CACHE_CONTROL,
            CHARSET,
            TRANSLATES_FAILURES,
            LATE_HEADER,
            ETAG,
            HOLDS_THE_BODY);

    /** Those that do nothing, or fail, where they see a request in a dispatch first, as behind a follower that has given its thread back. */
    private static final List<LabFilter> OF_FIRST_DISPATCH = List.of(CACHE_CONTROL, CHARSET, ETAG);

    /** Those that Servlet containers have beside, and that stand in front. */
    static final List<LabFilter> IN_FRONT_OF_FORWARDS = List.of(WRITES_TEXT_FIRST, WRITES_BYTES_FIRST, WRAPS);

    /** Those that are the last behind, if any: they have the container go on to the handler. */
    static final List<LabFilter> FORWARDING = List.of(FORWARDS, FORWARDS_BY_NAME, INCLUDES, INCLUDES_BY_NAME);

    private static final List<LabFilter> DRAWN = Stream.of(values())
            .filter(filter -> !BEGINNING.contains(filter))
            .filter(filter -> !IN_FRONT_OF_FORWARDS.contains(filter))
            .filter(filter -> !FORWARDING.contains(filter))
            .toList();

    /** Those that are drawn for the front of every kind of server. */
    static List<LabFilter> drawn() {
        return DRAWN;
    }

    // immutable
    private final boolean bearsDispatches;

    LabFilter(boolean bearsDispatches) {
        this.bearsDispatches = bearsDispatches;
    }

    /** Whether the filter does what it is for with a handler of this kind. */
    boolean bears(Kind kind) {
        return bearsDispatches || kind == Kind.DIRECT || (this == ETAG && kind.isOfSpringMvc());
    }

    /** Whether the filter writes what no handler has, so that a forward shows when and how often a container asks for the body. */
    boolean writesByItself(LabMake make) {
        boolean first = this == WRITES_TEXT_FIRST || this == WRITES_BYTES_FIRST;
        return this == GZIP || BEGINNING.contains(this) || (first && make == LabMake.JETTY);
    }

    /**
     * Whether the filter writes nothing first, or as a handler of this kind does. Spring MVC's take the stream, and declare a length, behind which
     * Jetty waits for ever.
     */
    boolean writesAs(LabMake make, Kind kind) {
        return switch (this) {
            case WRITES_TEXT_FIRST -> !(kind.isOfSpringMvc() || kind == Kind.NON_BLOCKING);
            case WRITES_BYTES_FIRST -> !(kind.isOfSpringMvc() && make == LabMake.JETTY);
            default -> true;
        };
    }

    /** Whether a flush of the handler goes no further. */
    boolean holdsFlushes() {
        return this == ETAG || this == HOLDS_THE_BODY;
    }

    boolean forwards() {
        return this == FORWARDS || this == FORWARDS_BY_NAME;
    }

    boolean includes() {
        return this == INCLUDES || this == INCLUDES_BY_NAME;
    }

    /** Whether the filter may stand behind a follower that has given its thread back. */
    boolean bearsDispatchedFollowers() {
        return !OF_FIRST_DISPATCH.contains(this);
    }

    /** Whether a request may leave the filter without an answer, and come back in a dispatch. */
    boolean bearsDispatches() {
        return bearsDispatches;
    }
}

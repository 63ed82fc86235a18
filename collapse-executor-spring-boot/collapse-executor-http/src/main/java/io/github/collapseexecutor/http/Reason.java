package io.github.collapseexecutor.http;

/**
 * Why a request is sent as a call of its own, or why a response is for the request that made the call only. Each constant
 * names the rule that it comes from; {@code docs/maintainers/http-rules.md} has the rules.
 */
public enum Reason {

    // of requests

    /** H34: no group has a pattern that matches the path. */
    NOT_CONFIGURED,

    /** The group is paused, see {@link HttpCollapseControl}. */
    PAUSED,

    /** H1: the method is neither GET nor HEAD. */
    METHOD,

    /** H13: the path can be read in two ways, or the path on the wire and the dispatched one belong to different groups. */
    PATH,

    /** H9: the request has a body. */
    BODY,

    /** H6: the request asks for a range. */
    RANGE,

    /** H9: the request asks for more than one plain response: {@code Expect}, {@code Upgrade}, {@code TE}, trailers, early data. */
    PROTOCOL,

    /** H4: on a server, the {@code Connection} header lists a header that a handler still sees. */
    CONNECTION,

    /** H5: on a server, the request shows who sent it. */
    CREDENTIALS,

    /** H36: something behind the adapter may still change on whose behalf the request is made. */
    OBSTACLE,

    /** H22: the call that was to answer the request failed, and the options have each follower make a call of its own. */
    LEADER_FAILED,

    /** H25: the request has waited for another's response for as long as it may. */
    FOLLOWER_TIMEOUT,

    /** H17, H19: the response that the request waited for is only for requests that came before its head did. */
    LATE,

    /** The group is in {@linkplain DryRun dry run}, in which every request is sent as a call of its own. */
    DRY_RUN,

    /** H21: the last response to a request of this key was of no use to others. */
    PASSING,

    // of requests and responses

    /** H8, H15: {@code Cache-Control: no-store}. */
    NO_STORE,

    /** H9, H38: what is asked for or sent is a stream, which may have no end: its type says so, or a handler writes on after a flush. */
    STREAM,

    /**
     * H42: a redirect that the client has followed by itself may not be shared, or the request has credentials and the client does not show
     * what it follows.
     */
    REDIRECT,

    // of responses

    /** H36: something behind the adapter has changed the request or replaced it, so that its key says no longer who asks. */
    CHANGED,

    /**
     * H15: the adapter says that the response is for the leader only, for example because of repeated credentials, and its header section
     * says nothing of the kind.
     */
    ADAPTER,

    /** H6, H7, H19: the status is for one request only, or has no freshness where it needs some. */
    STATUS,

    /** H17: {@code Cache-Control: no-cache}. */
    NO_CACHE,

    /** H16: {@code Cache-Control: private}, and the key does not hold the credentials. */
    PRIVATE,

    /** H16: the response answers an {@code Authorization} that the key does not hold, and does not say that others may have it. */
    AUTHORIZATION,

    /** H18: the response sets a cookie. */
    SET_COOKIE,

    /** H18: the response has a challenge, or another header to or about one receiver. */
    PERSONAL,

    /** H14: {@code Vary: *}, or the response was chosen by headers in which the request differs, again and again. */
    VARY,

    /** H29: the announced length is no number, or is not that of the body. */
    LENGTH,

    /** H27: the body is larger than may be shared. */
    TOO_LARGE,

    /** H38: nobody else takes part in the call, or can any more, so that nobody looks at the response. */
    LONE,

    /** H39: the header section cannot be read. */
    UNREADABLE
}

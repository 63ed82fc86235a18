package io.github.collapseexecutor.sample.springboot.live;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What collapsing does on the side of the page that has it. */
enum LiveMode {
    /** It is paused by the switch for an incident. */
    @JsonProperty("off")
    OFF("live-fresh"),
    /** No answer is older than its question. */
    @JsonProperty("fresh")
    FRESH("live-fresh"),
    /** A caller joins a call that is already running. */
    @JsonProperty("in-flight")
    IN_FLIGHT("live-in-flight"),
    /** Nothing is shared; it is counted and compared what would be. */
    @JsonProperty("dry-run")
    DRY_RUN("live-dry-run");

    // immutable
    private final String section;

    LiveMode(String section) {
        this.section = section;
    }

    /** The section whose client makes the requests. */
    String section() {
        return section;
    }
}

package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;

/** A documented limit, by its name: a difference that it explains is none. */
interface LabLimit {

    String name();

    /**
     * Whether this is why a caller got what it does not get without collapsing.
     *
     * @param plain what it gets without
     */
    boolean explains(LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed);
}

package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.rules.SharedResponse;

/** What answers a request: the response of its own handler, or that of another's. */
sealed interface ServletAnswer permits ServletCapturedResponse, ServletAnswer.Shared {

    /** A copy of a response that another request's handler gave. */
    record Shared(SharedResponse response) implements ServletAnswer {}
}

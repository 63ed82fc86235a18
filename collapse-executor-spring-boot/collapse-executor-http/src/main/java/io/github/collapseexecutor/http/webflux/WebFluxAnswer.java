package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.rules.SharedResponse;

/** What answers a request: the response of its own handler, or that of another's. */
sealed interface WebFluxAnswer permits WebFluxCapturedResponse, WebFluxAnswer.Shared {

    /** A copy of a response that another request's handler gave. */
    record Shared(SharedResponse response) implements WebFluxAnswer {}
}

package io.github.collapseexecutor.http.lab;

import java.util.List;

/**
 * A handler: what it does, in order, and on whose threads.
 *
 * @param kind how it goes on
 * @param steps what it does
 */
record LabHandler(Kind kind, List<LabStep> steps) {

    /** How a handler goes on. */
    enum Kind {
        /** On the thread of the request, or at once. */
        DIRECT(true, true),
        /** On a thread of its own, or later. */
        LATER(true, true),
        /** Half of it on a thread of its own, the rest in a dispatch; or body after body. */
        IN_TWO_PARTS(true, true),
        /** By a writer that the container calls. */
        NON_BLOCKING(true, false),
        CALLABLE(true, false),
        DEFERRED_RESULT(true, false),
        FUTURE(true, false),
        STREAMING_BODY(true, false),
        EMITTER(true, false),
        EVENTS(true, false),
        MONO(true, false),
        FLUX(true, false);

        // immutable
        private final boolean servlet;
        private final boolean reactive;

        Kind(boolean servlet, boolean reactive) {
            this.servlet = servlet;
            this.reactive = reactive;
        }

        boolean isFor(boolean ofReactiveServer) {
            return ofReactiveServer ? reactive : servlet;
        }

        /** Whether Spring MVC goes on with what the handler returns. */
        boolean isOfSpringMvc() {
            return switch (this) {
                case DIRECT, LATER, IN_TWO_PARTS, NON_BLOCKING -> false;
                default -> true;
            };
        }
    }

    /** Whether it calls {@code startAsync()} without arguments: Undertow alone goes on with what filters behind have wrapped. */
    boolean forgetsWrappers() {
        return kind != Kind.DIRECT && !kind.isOfSpringMvc() && steps.size() / 2 % 2 == 0;
    }

    /** Whether the handler itself flushes: where Spring MVC writes what it returns, it does not. */
    boolean flushes() {
        return (!kind.isOfSpringMvc() || kind == Kind.STREAMING_BODY)
                && steps.stream().anyMatch(LabStep::flushes);
    }
}

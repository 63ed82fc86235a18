/**
 * Request collapsing: concurrent callers that ask for the same thing, or for things that one bulk call can answer, are
 * gathered in the gap between submission and execution and served by one execution; each caller gets its own answer.
 *
 * <p>Words used throughout: a caller <em>submits</em> an input; inputs of one <em>group</em> may share an execution; the
 * inputs of one execution are a <em>batch</em>, which <em>gathers</em> until it <em>starts</em>; the <em>leader</em> is
 * the caller whose thread runs the batch, every other caller in it is a <em>follower</em>; a batch that has started and
 * not ended is <em>in flight</em>; <em>binding</em> gives a caller its output; a caller with no other of its group
 * present is <em>lone</em>.
 *
 * <p>No parameter, return value or field is null unless it is marked {@code @Nullable}; a null argument is refused with a
 * {@link java.lang.NullPointerException} that names it. Outputs may be null.
 */
package io.github.collapseexecutor.core;

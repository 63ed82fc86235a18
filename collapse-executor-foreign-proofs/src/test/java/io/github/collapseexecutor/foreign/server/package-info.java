/** Runs the filters of Servlet and of WebFlux inside frameworks that answer requests, with collapsing and without it, and compares. */
package io.github.collapseexecutor.foreign.server;

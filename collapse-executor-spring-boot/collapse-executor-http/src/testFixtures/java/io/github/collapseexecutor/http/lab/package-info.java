/**
 * The lab: applications and their callers, made out of parts from a seed, with collapsing and without. A difference is shrunk to the
 * parts that it takes.
 */
package io.github.collapseexecutor.http.lab;

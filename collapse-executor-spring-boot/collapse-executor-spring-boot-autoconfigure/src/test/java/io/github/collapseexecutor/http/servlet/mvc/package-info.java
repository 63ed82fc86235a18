/**
 * A table of Spring MVC cases. The test sends each of them to an application without collapsing and to one with it, and
 * compares the bytes of the responses.
 */
@NullMarked
package io.github.collapseexecutor.http.servlet.mvc;

import org.jspecify.annotations.NullMarked;

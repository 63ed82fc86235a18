/** A web application that calls itself over HTTP, with and without collapsing, and shows the difference. */
@NullMarked
package io.github.collapseexecutor.sample.springboot;

import org.jspecify.annotations.NullMarked;

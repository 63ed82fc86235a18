/** Two annotations on a Spring Data JPA application: callers ask one by one, the database is asked for many. */
@NullMarked
package io.github.collapseexecutor.sample.annotations;

import org.jspecify.annotations.NullMarked;

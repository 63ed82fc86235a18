/** What the adapters of Spring's clients and of its reactive server have in common. Public for other packages of the library only. */
@NullMarked
package io.github.collapseexecutor.http.spring;

import org.jspecify.annotations.NullMarked;

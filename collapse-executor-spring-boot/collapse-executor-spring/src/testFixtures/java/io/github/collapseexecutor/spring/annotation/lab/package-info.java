/** The lab of annotated methods: beans that a seed makes out of parts, with collapsing and without. */
@NullMarked
package io.github.collapseexecutor.spring.annotation.lab;

import org.jspecify.annotations.NullMarked;

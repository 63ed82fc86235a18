package io.github.collapseexecutor.foreign.annotation;

/** What a method may return: one text. */
public record Answer(String text) {}

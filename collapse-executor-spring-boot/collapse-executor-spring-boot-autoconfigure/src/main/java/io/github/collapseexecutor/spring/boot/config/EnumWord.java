package io.github.collapseexecutor.spring.boot.config;

import java.util.Locale;

/** A constant as tags, the endpoint and the log show it: {@code TIMED_OUT} is {@code timed-out}. */
public final class EnumWord {

    private EnumWord() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

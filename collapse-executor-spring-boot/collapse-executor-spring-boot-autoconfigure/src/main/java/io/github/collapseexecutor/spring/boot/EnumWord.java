package io.github.collapseexecutor.spring.boot;

import java.util.Locale;

/** A constant as tags, the endpoint and the log show it: {@code TIMED_OUT} is {@code timed-out}. */
final class EnumWord {

    private EnumWord() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

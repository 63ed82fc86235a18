package io.github.collapseexecutor.sample.springboot.load;

import java.util.List;
import java.util.Locale;

/** How requests are served. */
enum LoadWay {
    /** Each by a run of its own. */
    OFF,
    /** Collapsed, by a run that begins after the request. */
    FRESH,
    /** Collapsed, by one that may be in flight already. */
    IN_FLIGHT,
    /** As {@link #FRESH}, each request on a virtual thread, where followers wait too; needs JDK 21 or later. */
    VIRTUAL_THREADS,
    /** Joined in flight by a map of futures, as an application would write it by hand. */
    MAP_OF_FUTURES,
    /** Answered by the client itself, without any call. */
    CONSTANT;

    /** What the configuration of the server says for this way, {@code name=value}; ways that say the same share a server. */
    List<String> properties() {
        return switch (this) {
            case OFF, FRESH, MAP_OF_FUTURES, CONSTANT -> List.of();
            case IN_FLIGHT -> List.of("collapse.executor.join=in-flight");
            case VIRTUAL_THREADS ->
                List.of("spring.threads.virtual.enabled=true", "collapse.executor.servlet.waiting=block");
        };
    }

    /** Whether an answer may come of a run that had begun before its request. */
    boolean joinsRunningCall() {
        return this == IN_FLIGHT || this == MAP_OF_FUTURES || this == CONSTANT;
    }

    /** The word for this way in the paths of a front. */
    String frontPath() {
        return switch (this) {
            case OFF -> "plain";
            case FRESH, IN_FLIGHT, VIRTUAL_THREADS -> "collapse";
            case MAP_OF_FUTURES -> "map";
            case CONSTANT -> "constant";
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.CollapsePolicy;
import java.util.List;

/** The policies of the lab, each with what a handler may answer by: a policy that ignores a thing is the user's word that no answer depends on it. */
enum LabPolicy {
    STRICT,
    SHARED,
    STRIPPED,
    PATH_ONLY,
    BY_USER,
    BY_QUERY;

    CollapsePolicy policy() {
        return switch (this) {
            case STRICT -> CollapsePolicy.strict();
            case SHARED ->
                CollapsePolicy.named("shared")
                        .strict(true)
                        .shareAcrossUsers(true)
                        .build();
            case STRIPPED ->
                CollapsePolicy.named("stripped")
                        .shareAcrossUsers(true)
                        .stripSetCookie(true)
                        .build();
            case PATH_ONLY -> CollapsePolicy.pathOnly();
            case BY_USER ->
                CollapsePolicy.named("by-user")
                        .requestHeaders(List.of("X-User"))
                        .build();
            case BY_QUERY ->
                CollapsePolicy.named("by-query").requestQueries(List.of("q")).build();
        };
    }

    /** The names of what a handler may answer by. */
    List<String> usable() {
        return switch (this) {
            case STRICT -> List.of("user", "query", "language", "token", "added", "attribute");
            case SHARED, STRIPPED -> List.of("user", "query", "language", "added", "attribute");
            case PATH_ONLY -> List.of("token");
            case BY_USER -> List.of("user", "query", "token", "added", "attribute");
            case BY_QUERY -> List.of("user", "q", "language", "token", "added", "attribute");
        };
    }
}

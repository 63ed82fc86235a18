package io.github.collapseexecutor.foreign.server;

import java.util.List;
import java.util.Map;

/**
 * A library that answers requests, in the same application as the others.
 *
 * @param name its name, by which its handlers ask the {@link Backend}
 * @param configuration its beans
 * @param properties of Spring Boot
 * @param targets paths, with their queries, that it answers; behind a space, the JSON or XML of a POST
 */
record Guest(String name, Class<?> configuration, Map<String, String> properties, List<String> targets) {}

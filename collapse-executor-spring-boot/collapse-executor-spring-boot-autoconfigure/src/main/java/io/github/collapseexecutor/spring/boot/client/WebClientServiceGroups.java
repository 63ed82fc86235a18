package io.github.collapseexecutor.spring.boot.client;

import org.springframework.web.reactive.function.client.WebClient;

/** The HTTP service groups of {@code web-client}, as a bean. */
record WebClientServiceGroups(ServiceGroups<WebClient.Builder> groups) {}

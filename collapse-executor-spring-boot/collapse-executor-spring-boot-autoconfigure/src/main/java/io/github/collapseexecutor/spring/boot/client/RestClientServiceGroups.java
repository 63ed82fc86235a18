package io.github.collapseexecutor.spring.boot.client;

import org.springframework.web.client.RestClient;

/** The HTTP service groups of {@code rest-template}, as a bean. */
record RestClientServiceGroups(ServiceGroups<RestClient.Builder> groups) {}

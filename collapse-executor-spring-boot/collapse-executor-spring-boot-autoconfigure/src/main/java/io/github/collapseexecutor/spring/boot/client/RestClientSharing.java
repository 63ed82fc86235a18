package io.github.collapseexecutor.spring.boot.client;

/** The clients of {@code rest-template} that share with other instances, as a bean. */
record RestClientSharing(ClientSharing clients) {}

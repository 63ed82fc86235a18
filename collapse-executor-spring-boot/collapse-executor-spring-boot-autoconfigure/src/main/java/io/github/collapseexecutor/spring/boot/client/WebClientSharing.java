package io.github.collapseexecutor.spring.boot.client;

/** The clients of {@code web-client} that share with other instances, as a bean. */
record WebClientSharing(ClientSharing clients) {}

package io.github.collapseexecutor.foreign.server;

import org.springframework.context.annotation.Configuration;

/** Springdoc and the actuator, which Spring Boot configures. */
@Configuration(proxyBeanMethods = false)
class DocsGuest {}

package io.github.collapseexecutor.foreign.server;

import org.springframework.context.annotation.Configuration;

/** Spring's handler of static resources, with the one that finds zipped ones: Spring Boot has both. */
@Configuration(proxyBeanMethods = false)
class FilesGuest {}

package io.github.collapseexecutor.spring.boot.config;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

/** Binds the properties. Apart, because Javadoc cannot show an annotation that names a record of an internal package. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CollapseExecutorProperties.class)
public final class BoundProperties {}

package io.github.collapseexecutor.sample.hibernate.entity;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** An application that has the entities of this package. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class OrdersApplication {}

package io.github.collapseexecutor.sample.tenants;

import org.springframework.data.jpa.repository.JpaRepository;

/** The products of the tenant that asks. */
public interface Products extends JpaRepository<Product, Long> {}

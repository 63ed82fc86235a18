package io.github.collapseexecutor.sample.hibernate.entity;

import io.github.collapseexecutor.hibernate.CollapsedSequence;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** As an application writes it. */
@Entity
@Table(name = "purchase_order")
public class Order {

    // readme:begin hibernate-id
    @Id
    @CollapsedSequence("order_id")
    private Long id;
    // readme:end

    /** Without an id until it is persisted. */
    public Order() {}

    /** Its number. */
    public Long id() {
        return id;
    }
}

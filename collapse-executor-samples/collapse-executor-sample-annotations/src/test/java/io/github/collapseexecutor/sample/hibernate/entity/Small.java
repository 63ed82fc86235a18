package io.github.collapseexecutor.sample.hibernate.entity;

import io.github.collapseexecutor.hibernate.CollapsedSequence;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An id that holds no great numbers. */
@Entity
public class Small {

    @Id
    @CollapsedSequence("great")
    private int id;

    /** Without an id until it is persisted. */
    public Small() {}
}

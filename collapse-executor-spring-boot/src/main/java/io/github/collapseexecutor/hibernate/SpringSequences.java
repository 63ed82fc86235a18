package io.github.collapseexecutor.hibernate;

import io.github.collapseexecutor.sequence.Sequences;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;

/** The {@link Sequences} bean, looked up when the first number is asked for: made by Spring, which Hibernate asks for it. */
record SpringSequences(ObjectProvider<Sequences> bean) implements Supplier<Sequences> {

    @Override
    public Sequences get() {
        return bean.getObject();
    }
}

package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.http.OtherInstances;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;

/** Shares calls through the {@link ClusterCalls} bean, each executor with the codec that is qualified by its name. */
final class RedisSharing implements InstanceSharing {

    // immutable
    private final ClusterCalls calls;
    private final ListableBeanFactory beans;

    RedisSharing(ClusterCalls calls, ListableBeanFactory beans) {
        this.calls = calls;
        this.beans = beans;
    }

    @Override
    public CallWrapper of(String executor) {
        return calls.wrapper(executor, codec(executor));
    }

    @Override
    public OtherInstances http(String client) {
        return calls.http(client);
    }

    private ResultCodec<?> codec(String executor) {
        var codecs = BeanFactoryAnnotationUtils.qualifiedBeansOfType(beans, ResultCodec.class, executor);
        if (codecs.size() > 1) {
            throw new InvalidCollapsePropertyException(
                    ExecutorSharing.propertyOf(executor),
                    true,
                    "the beans " + String.join(", ", codecs.keySet()) + " are all codecs for this executor",
                    "Keep the qualifier \"" + executor + "\" at one of them.");
        }
        return codecs.isEmpty()
                ? ResultCodec.ofPlainValues()
                : codecs.values().iterator().next();
    }
}

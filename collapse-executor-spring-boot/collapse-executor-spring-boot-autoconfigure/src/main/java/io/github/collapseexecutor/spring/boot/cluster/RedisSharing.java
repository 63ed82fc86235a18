package io.github.collapseexecutor.spring.boot.cluster;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ClusterCounts;
import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.spring.annotation.BatchSharing;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Shares calls through the {@link ClusterCalls} bean, each executor with the codec that is qualified by its name. */
public record RedisSharing(ClusterCalls calls, ListableBeanFactory beans) implements InstanceSharing {

    @Override
    public CallWrapper of(String executor, JoinMode mode) {
        return calls.joining(mode).wrapper(executor, codec(executor));
    }

    @Override
    public CallWrapper ofMethod(String executor, ResolvableType answer, JoinMode mode) {
        return calls.joining(mode).wrapper(executor, codec(executor, answer));
    }

    @Override
    @SuppressWarnings("unchecked") // the codec takes the answers of the executor's methods
    public BatchSharing ofBatches(String executor, ResolvableType answer, JoinMode mode) {
        ClusterCalls joined = calls.joining(mode);
        ResultCodec<@Nullable Object> codec = (ResultCodec<@Nullable Object>) codec(executor, answer);
        return new BatchSharing() {
            @Override
            public BatchFunction<Collection<Object>, Map<Object, @Nullable Object>> share(
                    BatchFunction<Collection<Object>, Map<Object, @Nullable Object>> function) {
                return joined.sharedByKey(executor, function, codec);
            }

            @Override
            public BatchFunction<Collection<Object>, CompletionStage<Map<Object, @Nullable Object>>> shareStages(
                    BatchFunction<Collection<Object>, CompletionStage<Map<Object, @Nullable Object>>> function) {
                return joined.sharedByKeyStage(executor, function, codec);
            }
        };
    }

    private ResultCodec<?> codec(String executor, ResolvableType answer) {
        ResultCodec<?> named = codecOfName(executor);
        ResultCodec<?> codec = named == null ? codecOfType(answer) : named;
        return codec.withFormat(
                codec.format() + ' ' + answer); // instances whose methods answer something else share nothing
    }

    private ResultCodec<?> codecOfType(ResolvableType answer) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(answer.resolve(Object.class));
        ResolvableType boxed = answer.resolve() == type ? answer : ResolvableType.forClass(type);
        // A codec of any type could be one of Object.
        String[] names = type == Object.class
                ? new String[0]
                : beans.getBeanNamesForType(ResolvableType.forClassWithGenerics(ResultCodec.class, boxed));
        if (names.length > 1) {
            throw new IllegalArgumentException(
                    "the beans " + String.join(", ", names) + " are all codecs of its answer, a " + answer);
        }
        if (names.length == 1) {
            return beans.getBean(names[0], ResultCodec.class);
        }
        if (!isPlain(boxed)) {
            throw new IllegalArgumentException("its answer, a " + answer + ", has no codec, and is no plain value");
        }
        return ResultCodec.ofPlainValues();
    }

    /** Other instances get a list of the JDK's, whatever its class was. */
    private static boolean isPlain(ResolvableType answer) {
        Class<?> type = answer.resolve(Object.class);
        return type == List.class ? isPlain(answer.getGeneric(0)) : ResultCodec.isPlain(type);
    }

    @Override
    public OtherInstances http(String client) {
        return calls.http(client);
    }

    @Override
    public void pause(boolean paused) {
        if (paused) {
            calls.pause();
        } else {
            calls.resume();
        }
    }

    @Override
    public boolean isPaused() {
        return calls.isPaused();
    }

    @Override
    public Map<String, Object> shown() {
        ClusterCounts counts = calls.counts();
        Map<String, Object> batches = new LinkedHashMap<>();
        batches.put("led", counts.led());
        batches.put("taken", counts.taken());
        batches.put("unavailable", counts.unavailable());
        batches.put("failedElsewhere", counts.failedElsewhere());
        batches.put("notShareable", counts.notShareable());
        batches.put("tooShort", counts.tooShort());
        Map<String, Object> shown = link();
        shown.put("batches", batches);
        return shown;
    }

    /** Whether sharing is paused, and whether Redis can be asked at present. */
    Map<String, Object> link() {
        Map<String, Object> link = new LinkedHashMap<>();
        link.put("paused", isPaused());
        link.put("available", calls.counts().available());
        return link;
    }

    private ResultCodec<?> codec(String executor) {
        ResultCodec<?> named = codecOfName(executor);
        return named == null ? ResultCodec.ofPlainValues() : named;
    }

    private @Nullable ResultCodec<?> codecOfName(String executor) {
        var codecs = BeanFactoryAnnotationUtils.qualifiedBeansOfType(beans, ResultCodec.class, executor);
        if (codecs.size() > 1) {
            throw new InvalidCollapsePropertyException(
                    ExecutorSharing.propertyOf(executor),
                    true,
                    "the beans " + String.join(", ", codecs.keySet()) + " are all codecs for this executor",
                    "Keep the qualifier \"" + executor + "\" at one of them.");
        }
        return codecs.isEmpty() ? null : codecs.values().iterator().next();
    }
}

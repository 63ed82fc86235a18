package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.spring.annotation.BatchSharing;
import io.github.collapseexecutor.spring.annotation.MethodSharing;
import io.github.collapseexecutor.spring.annotation.key.KeyForms;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/** Which annotated methods share their calls with other instances, and which cannot. */
public final class CallSharing {

    private static final Log logger = LogFactory.getLog(CallSharing.class);

    private static final String OR_REMOVE = ", or remove cluster: true of its executor.";

    // immutable
    private final ObjectProvider<MethodSharing> sharing;
    private final KeyForms forms;
    private final ConfigurableListableBeanFactory beans;

    // mutable, thread-safe
    private final AtomicBoolean parentTold = new AtomicBoolean();

    public CallSharing(ObjectProvider<MethodSharing> sharing, KeyForms forms, ConfigurableListableBeanFactory beans) {
        this.sharing = sharing;
        this.forms = forms;
        this.beans = beans;
    }

    /** Says why a bean's name does not mean one object; null if it does. Another instance knows an object by that name only. */
    @Nullable String whyNotOne(Object bean, String beanName) {
        if (!beans.containsLocalBean(beanName) || !beans.isSingleton(beanName)) {
            return "the bean is no singleton, so that its name means several objects";
        }
        for (Object object = bean; object instanceof Advised proxy; object = targetOf(proxy)) {
            if (!proxy.getTargetSource().isStatic()) {
                return "the bean's proxy chooses an object with each call, so that the bean's name means several objects";
            }
        }
        return null;
    }

    private static @Nullable Object targetOf(Advised proxy) {
        try {
            return proxy.getTargetSource().getTarget();
        } catch (Exception e) {
            throw new IllegalStateException("A target that does not change can be had", e);
        }
    }

    /**
     * Returns what has the calls of an executor be shared, if that is asked for. It refuses what cannot be shared, when the executor is made.
     *
     * @param executor its name
     * @param whyNotOne from {@link #whyNotOne}
     */
    Consumer<CollapseOptions.Builder> ofCalls(AnnotatedMethod method, String executor, @Nullable String whyNotOne) {
        return options -> {
            AnswerType answer = AnswerType.of(method);
            JoinMode mode = options.build().joinMode();
            CallWrapper wrapper = asked(method, executor, present -> present.calls(executor, answer.element(), mode));
            if (wrapper != null && canBeShared(method, whyNotOne)) {
                options.callWrapper(
                        new CallsAmongInstances(method, wrapper, new CallForms(method, forms), answer.isOptional()));
            }
        };
    }

    /**
     * Returns what has the items of an executor's batches be shared, null if that is not asked for. It refuses what cannot be shared.
     *
     * @param answer the type of an item's answer
     * @param executor its name
     * @param whyNotOne from {@link #whyNotOne}
     * @param mode the executor's join mode
     */
    @Nullable ItemsAmongInstances ofItems(
            AnnotatedMethod method, ResolvableType answer, String executor, @Nullable String whyNotOne, JoinMode mode) {
        BatchSharing batches = asked(method, executor, present -> present.batches(executor, answer, mode));
        return batches != null && canBeShared(method, whyNotOne)
                ? new ItemsAmongInstances(method, batches, new CallForms(method, forms))
                : null;
    }

    private <T> @Nullable T asked(
            AnnotatedMethod method, String executor, Function<MethodSharing, @Nullable T> question) {
        MethodSharing present = sharing.getIfAvailable();
        try {
            return present == null ? null : question.apply(present);
        } catch (IllegalArgumentException refused) {
            throw method.refused(
                    "its calls cannot be shared with other instances: " + refused.getMessage(),
                    "Define one ResultCodec bean of this type, or qualify one by the name of the executor, \""
                            + executor + "\"" + OR_REMOVE,
                    refused);
        }
    }

    private boolean canBeShared(AnnotatedMethod method, @Nullable String whyNotOne) {
        if (hasParent(method)) {
            return false;
        }
        if (whyNotOne != null) {
            throw method.refused(
                    "its calls cannot be shared with other instances: " + whyNotOne,
                    "Move the method to a singleton" + OR_REMOVE);
        }
        return true;
    }

    private boolean hasParent(AnnotatedMethod method) {
        if (beans.getParentBeanFactory() == null) {
            return false;
        }
        if (parentTold.compareAndSet(false, true)) {
            logger.warn(method
                    + " does not share calls with other instances, and no method of its context does: the context"
                    + " has a parent, so that another context may have a bean of this name.");
        }
        return true;
    }
}

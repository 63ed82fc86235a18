package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** How collapsing refuses a bean whose annotations it cannot follow. */
final class Refusals {

    private Refusals() {}

    /** The start fails with the method, this reason and this remedy. */
    static void assertRefused(Class<?> bean, String reason, String remedy) {
        Throwable failure = catchThrowable(() -> Application.start(bean).close());
        InvalidCollapsingException refusal = of(failure);
        assertThat(refusal.method()).contains(bean.getName() + ".").contains("of bean \"");
        assertThat(refusal.reason()).contains(reason);
        assertThat(refusal.remedy()).contains(remedy).endsWith(".");
        assertThat(refusal).hasMessageContaining(refusal.method()).hasMessageContaining(refusal.remedy());
    }

    /** Returns the refusal that a failure of the start was caused by. */
    static InvalidCollapsingException of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidCollapsingException refusal) {
                return refusal;
            }
        }
        throw new AssertionError("the start did not fail as it must", failure);
    }
}

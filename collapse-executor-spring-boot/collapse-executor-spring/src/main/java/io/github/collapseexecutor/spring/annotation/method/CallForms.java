package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.key.CallKey;
import io.github.collapseexecutor.spring.annotation.key.KeyForms;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** The forms of one method's calls, by which other instances know them. For a call without one, one warning tells the remedy. */
final class CallForms {

    private static final Log logger = LogFactory.getLog(CallForms.class);

    // immutable
    private final AnnotatedMethod method;
    private final KeyForms forms;

    // mutable, thread-safe
    private final AtomicBoolean told = new AtomicBoolean();

    CallForms(AnnotatedMethod method, KeyForms forms) {
        this.method = method;
        this.forms = forms;
    }

    /** Returns the forms of the method, of what its calls have in common, and of an item, if it is about one; null if one of them has none. */
    @Nullable List<Object> of(CallKey key, @Nullable Object item) {
        try {
            return List.of(method.form(), forms.of(key.parts()), item == null ? List.of() : forms.of(item));
        } catch (KeyForms.NoFormException none) {
            refuse(none.getMessage(), "Define a KeyForm bean, which gives such an object a text", none.getCause());
            return null;
        }
    }

    /** Says once why a call is not shared, and what helps. */
    void refuse(@Nullable String reason, String remedy, @Nullable Throwable cause) {
        if (told.compareAndSet(false, true)) {
            logger.warn(method + " does not share a call with other instances: " + reason + ". " + remedy + ".", cause);
        }
    }
}

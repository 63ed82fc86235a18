package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.key.CallKey;
import io.github.collapseexecutor.spring.annotation.key.KeyForms;
import io.github.collapseexecutor.spring.annotation.key.KeyText;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** The texts of one method's calls, by which other instances know them. For a call without one, one warning tells the remedy. */
final class CallTexts {

    private static final Log logger = LogFactory.getLog(CallTexts.class);

    private interface Writing {
        void to(KeyText text) throws KeyText.NoTextException;
    }

    // immutable
    private final AnnotatedMethod method;
    private final KeyForms forms;

    // mutable, thread-safe
    private final AtomicBoolean told = new AtomicBoolean();

    CallTexts(AnnotatedMethod method, KeyForms forms) {
        this.method = method;
        this.forms = forms;
    }

    /** Returns the text of the method, and of what its calls have in common; null if there is none. */
    @Nullable String of(CallKey key) {
        return written(text -> {
            method.writeTo(text);
            key.writeTo(text);
        });
    }

    /** Returns the text of a single item; null if there is none. */
    @Nullable String ofItem(Object item) {
        return written(text -> {
            KeyText unused = text.part(item);
        });
    }

    private @Nullable String written(Writing writing) {
        KeyText text = new KeyText(forms);
        try {
            writing.to(text);
            String written = text.toString();
            // here, where one warning is enough for all calls: below, such a text is refused again and again
            if (StandardCharsets.UTF_8.newEncoder().canEncode(written)) {
                return written;
            }
            refuse("a text has half of a surrogate pair, which no encoding has", "Refuse such a text.", null);
            return null;
        } catch (KeyText.NoTextException none) {
            refuse(none.getMessage(), "Define a KeyForm bean, which gives such an object a text.", none.getCause());
            return null;
        }
    }

    /** Says once why a call is not shared, and what helps. */
    void refuse(@Nullable String reason, String remedy, @Nullable Throwable cause) {
        if (told.compareAndSet(false, true)) {
            logger.warn(method + " does not share a call with other instances: " + reason + ". " + remedy, cause);
        }
    }
}

package io.github.collapseexecutor.spring.annotation.key;

import io.github.collapseexecutor.spring.annotation.KeyForm;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects as a text that is the same on all instances, and another one for each other object. Each part says what it is, and how long
 * its text is, so that no two sequences of parts have one text. An object without such a text is refused, with a reason.
 *
 * <p>Records, and objects of Spring Security's own classes, are written with the class and all fields. Whatever their methods return, they
 * compute it from those. Claims and the like are written by their entries. An object of another class may have more to it than can be seen
 * here: it needs a {@link KeyForm}.
 *
 * <p>Mutable, for one text.
 */
public final class KeyText {

    /** An object has no text. The message says why, and nothing of the object but its class. */
    public static final class NoTextException extends Exception {

        private static final long serialVersionUID = 1L;

        NoTextException(String reason) {
            this(reason, null);
        }

        NoTextException(String reason, @Nullable Throwable cause) {
            super(reason, cause, false, false);
        }
    }

    private static final String OF_SECURITY = "org.springframework.security.";

    // immutable
    private final KeyForms forms;

    // mutable
    private final StringBuilder text = new StringBuilder();
    private int depth;

    public KeyText(KeyForms forms) {
        this.forms = forms;
    }

    /** Writes a text. */
    public KeyText word(String word) {
        text.append(word.length()).append(':').append(word);
        return this;
    }

    /** Writes an object. */
    public KeyText part(@Nullable Object value) throws NoTextException {
        return part(value, false);
    }

    /**
     * Writes an object.
     *
     * @param entries whether collections and maps have nothing but their entries, as {@link KeyForms#holdsEntries} says
     */
    private KeyText part(@Nullable Object value, boolean entries) throws NoTextException {
        if (++depth > KeyForms.DEEPEST) {
            throw new NoTextException("its parts are nested more than " + KeyForms.DEEPEST + " deep");
        }
        write(value, entries);
        depth--;
        return this;
    }

    private void write(@Nullable Object value, boolean entries) throws NoTextException {
        if (value == null) {
            text.append('n');
            return;
        }
        KeyForm<Object> bean = forms.beanFor(value);
        if (bean != null) {
            ofBean(value, bean);
        } else if (KeyForms.isPlain(value.getClass())) {
            text.append('p');
            word(value.getClass().getName()).word(value.toString());
        } else if (value instanceof Enum<?> constant) {
            text.append('e');
            word(constant.getDeclaringClass().getName()).word(constant.name());
        } else if (value instanceof Locale locale) {
            ofLocale(locale);
        } else if (value instanceof SecurityUser user) {
            user.writeTo(this);
        } else if (value instanceof Record) {
            ofRecord(value);
        } else if (value.getClass().getName().startsWith(OF_SECURITY)) {
            ofSecurity(value);
        } else if (entries && value instanceof URL url) { // the issuer of a token
            text.append('u');
            word(url.toExternalForm());
        } else {
            ofContainer(value, entries);
        }
    }

    private void ofBean(Object value, KeyForm<Object> bean) throws NoTextException {
        String form;
        try {
            form = bean.of(value);
        } catch (RuntimeException failure) { // the call itself must not fail
            throw new NoTextException("the KeyForm of a " + nameOf(value) + " failed", failure);
        }
        if (form == null) {
            throw new NoTextException("the KeyForm of a " + nameOf(value) + " returned null");
        }
        text.append('b');
        word(bean.type().getName()).word(form);
    }

    /** Its own text leaves out where one part ends. */
    private void ofLocale(Locale locale) {
        text.append('z');
        word(locale.getLanguage())
                .word(locale.getScript())
                .word(locale.getCountry())
                .word(locale.getVariant());
        text.append(locale.getExtensionKeys().size()).append(':');
        locale.getExtensionKeys().stream().sorted().forEach(key -> word(key + locale.getExtension(key)));
    }

    private void ofContainer(Object value, boolean entries) throws NoTextException {
        if (!entries && !KeyForms.isOfJava(value.getClass())) { // another one may have more to it than its elements
            throw new NoTextException("a " + nameOf(value) + " has no form that is the same on all instances");
        }
        if (value instanceof Set<?> set) {
            text.append('s');
            sorted(set, entries);
        } else if (value instanceof List<?> || (entries && value instanceof Collection<?>)) {
            Collection<?> list = (Collection<?>) value;
            text.append('l').append(list.size()).append(':');
            for (Object element : list) {
                part(element, entries);
            }
        } else if (value instanceof Map<?, ?> map) {
            text.append('m');
            List<List<?>> pairs = new ArrayList<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                List<@Nullable Object> pair = new ArrayList<>();
                pair.add(entry.getKey());
                pair.add(entry.getValue());
                pairs.add(pair);
            }
            sorted(pairs, entries);
        } else if (value instanceof Optional<?> optional) {
            text.append('o');
            part(optional.orElse(null), entries);
        } else {
            throw new NoTextException("a " + nameOf(value) + " has no form that is the same on all instances");
        }
    }

    /** Equal sets and maps may have other orders. */
    private void sorted(Collection<?> parts, boolean entries) throws NoTextException {
        List<String> texts = new ArrayList<>();
        for (Object part : parts) {
            KeyText own = new KeyText(forms);
            own.depth = depth;
            texts.add(own.part(part, entries).toString());
        }
        Collections.sort(texts);
        text.append(texts.size()).append(':');
        texts.forEach(this::word);
    }

    private void ofRecord(Object value) throws NoTextException {
        checkShown(value);
        RecordComponent[] components = value.getClass().getRecordComponents();
        text.append('r').append(components.length).append(':');
        word(value.getClass().getName());
        for (RecordComponent component : components) {
            word(component.getName()).part(valueOf(value, component));
        }
    }

    private static @Nullable Object valueOf(Object value, RecordComponent component) throws NoTextException {
        try {
            Field field = value.getClass().getDeclaredField(component.getName());
            field.setAccessible(true);
            return field.get(value);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            throw new NoTextException("the record " + nameOf(value) + " does not show its parts: " + e.getMessage());
        }
    }

    private void ofSecurity(Object value) throws NoTextException {
        checkShown(value);
        Class<?> type = value.getClass();
        if (type.isHidden() || type.isSynthetic() || type.isAnonymousClass()) {
            throw new NoTextException(
                    "a lambda or a class without a name, " + nameOf(value) + ", is another one on each instance");
        }
        text.append('c');
        word(type.getName());
        for (Class<?> declaring = type; declaring != Object.class; declaring = declaring.getSuperclass()) {
            if (!declaring.getName().startsWith(OF_SECURITY)) {
                throw new NoTextException("a " + nameOf(value) + " inherits of " + declaring.getName()
                        + ", whose state is not known to be the same on all instances");
            }
            for (Field field : declaring.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    word(field.getName()).part(valueOf(value, field), KeyForms.holdsEntries(field));
                }
            }
            text.append(';');
        }
    }

    private static @Nullable Object valueOf(Object value, Field field) throws NoTextException {
        try {
            field.setAccessible(true);
            return KeyForms.held(value, field);
        } catch (IllegalAccessException | InaccessibleObjectException e) {
            throw new NoTextException("a " + nameOf(value) + " does not show its parts: " + e.getMessage());
        }
    }

    private static void checkShown(Object value) throws NoTextException {
        if (!KeyForms.showsParts()) {
            throw new NoTextException("a native image does not show all parts of a " + nameOf(value));
        }
    }

    private static String nameOf(Object value) {
        return value.getClass().getName();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

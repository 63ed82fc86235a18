package io.github.collapseexecutor;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/** Leaves Boot's security out of the applications of all tests that do not ask for it: its library is on their class path, too. */
public final class SecurityWhereWanted implements AutoConfigurationImportFilter, EnvironmentAware {

    /** The property that an application of a test sets to be secured. */
    static final String WANTED = "test.secured";

    private @Nullable Environment environment;

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public boolean[] match(@Nullable String[] classes, AutoConfigurationMetadata metadata) {
        boolean wanted = requireNonNull(environment).getProperty(WANTED, Boolean.class, false);
        boolean[] kept = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            kept[i] = wanted || name == null || !name.contains(".security.");
        }
        return kept;
    }
}

package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * Has an adapter that the application makes itself treated like the auto-configured ones: listener beans, meters, the endpoint {@code
 * collapse} and {@link CollapseControl} know it as a section.
 *
 * <pre>{@code
 * OkHttpClient client = new OkHttpClient.Builder()
 *         .addInterceptor(sections.add(
 *                 "search",
 *                 HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/search"))),
 *                 CollapseOptions.defaults(),
 *                 CollapseOkHttpInterceptor::new))
 *         .build();
 * }</pre>
 *
 * <p>The options are the application's: no property under {@code collapse.executor} changes them. All methods are thread-safe.
 */
public final class CollapseSections {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    // immutable
    private final HttpSections sections;

    CollapseSections(HttpSections sections) {
        this.sections = sections;
    }

    /**
     * Makes an adapter as a new section.
     *
     * @param name the section's name: small letters, digits and single hyphens between them; the tag {@code name} of its meters
     * @param http what is collapsed; its listener is told before the listener beans
     * @param core how requests are gathered; its name becomes that of the section, its listener is told before the listener beans
     * @param adapter makes the adapter of the completed options, once
     * @param <T> the adapter
     * @return the adapter
     * @throws IllegalArgumentException if the name is malformed, taken, or that of a section under {@code collapse.executor}
     */
    public <T> T add(
            String name,
            HttpCollapseOptions.Builder http,
            CollapseOptions core,
            BiFunction<HttpCollapseOptions, CollapseOptions, T> adapter) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("A section cannot be called \"" + name
                    + "\": write small letters, digits and single hyphens between them, for example search");
        }
        return sections.added(
                name,
                Objects.requireNonNull(http, "http"),
                Objects.requireNonNull(core, "core"),
                Objects.requireNonNull(adapter, "adapter"));
    }
}

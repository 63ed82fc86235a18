package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;

/** Finds names under {@code collapse.executor.executors} that are those of no executor, once all beans exist. */
final class UnusedNames {

    // immutable
    private final HttpSections sections;
    private final NamedExecutors named;
    private final ObjectProvider<CollapsingControl> annotated;

    UnusedNames(HttpSections sections, NamedExecutors named, ObjectProvider<CollapsingControl> annotated) {
        this.sections = sections;
        this.named = named;
        this.annotated = annotated;
    }

    /** Returns a sentence or two about each name that configures nothing, or less than it says. */
    List<String> of(Map<String, CollapseExecutorProperties.Gathering> executors) {
        Set<String> made = Set.copyOf(named.names());
        CollapsingControl methods = annotated.getIfAvailable();
        Set<String> ofMethods = methods == null ? Set.of() : Set.copyOf(methods.executors());
        Set<String> known = new TreeSet<>(HttpSections.OF_PROPERTIES);
        known.addAll(made);
        known.addAll(ofMethods);
        List<String> sentences = new ArrayList<>();
        executors.forEach((name, values) -> {
            if (!known.contains(name)) {
                sentences.add(sentence(name, known));
            } else if (Boolean.TRUE.equals(values.cluster()) && ofMethods.contains(name) && !made.contains(name)) {
                sentences.add(ExecutorSharing.propertyOf(name) + " has no effect: annotated methods do not share calls"
                        + " with other instances. Remove the property.");
            }
        });
        return sentences;
    }

    private String sentence(String name, Set<String> known) {
        String start = OptionsReader.propertyOf(name) + " configures nothing: ";
        if (sections.find(name) != null) {
            return start
                    + "the application gave this section its options itself. Change them there, or remove the property.";
        }
        String question = NearestName.question(name, known);
        return start + "no executor has this name" + (question.isEmpty() ? "." : question)
                + " Inject the bean of this name, make the executor by NamedExecutors, give the name to an annotation, or remove the"
                + " property.";
    }
}

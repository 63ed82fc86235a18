package io.github.collapseexecutor.spring.boot.report;

import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.NearestName;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.MadeExecutors;
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
    private final MadeExecutors named;
    private final ObjectProvider<CollapsingControl> annotated;

    UnusedNames(HttpSections sections, MadeExecutors named, ObjectProvider<CollapsingControl> annotated) {
        this.sections = sections;
        this.named = named;
        this.annotated = annotated;
    }

    /** Returns a sentence or two about each name that configures nothing. */
    List<String> of(Map<String, CollapseExecutorProperties.Gathering> executors) {
        CollapsingControl methods = annotated.getIfAvailable();
        Set<String> known = new TreeSet<>(OptionsReader.SECTIONS);
        known.addAll(named.names());
        if (methods != null) {
            known.addAll(methods.executors());
        }
        List<String> sentences = new ArrayList<>();
        executors.keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> sentences.add(sentence(name, known)));
        return sentences;
    }

    private String sentence(String name, Set<String> known) {
        String start = OptionsReader.propertyOf(name) + " configures nothing: ";
        if (sections.find(name) != null) {
            return start
                    + "the application gave this section its options itself. Change them there, or remove the property.";
        }
        if (name.equals("rest-client")) {
            return start + "requests of RestClient are gathered as " + OptionsReader.propertyOf("rest-template")
                    + " says. Write that, or remove the property.";
        }
        String question = NearestName.question(name, known);
        return start + "no executor has this name" + (question.isEmpty() ? "." : question)
                + " Inject the bean of this name, make the executor by NamedExecutors, give the name to an annotation, or remove the"
                + " property.";
    }
}

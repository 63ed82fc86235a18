package io.github.collapseexecutor.spring.boot.report;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.cluster.InstanceSharing;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.HttpSection;
import io.github.collapseexecutor.spring.boot.config.NearestName;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.SetProperties;
import io.github.collapseexecutor.spring.boot.config.UnknownProperty;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.MadeExecutors;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Finds properties that somebody has set and that can have no effect, because nothing uses them or because another property goes before
 * them; and names that are those of no executor. {@link SilentMistakes} finds mistakes inside a section with groups.
 *
 * @param sentences takes a sentence or two for each reason
 */
record IneffectiveProperties(
        CollapseExecutorProperties properties,
        ListableBeanFactory beans,
        HttpSections sections,
        MadeExecutors named,
        ObjectProvider<CollapsingControl> annotated,
        ObjectProvider<InstanceSharing> instances,
        SetProperties set,
        List<String> sentences) {

    private static final String ANNOTATIONS = CollapseExecutorProperties.PREFIX + ".annotations";
    private static final String SEQUENCES = CollapseExecutorProperties.PREFIX + ".sequences";

    /** The properties of a {@link CollapseExecutorProperties.Gathering}, which stand for all executors, too. */
    private static final List<String> GATHERING = Arrays.stream(
                    CollapseExecutorProperties.Gathering.class.getRecordComponents())
            .map(RecordComponent::getName)
            .filter(name -> !name.equals("cluster")) // which is a section there
            .map(UnknownProperty::dashed)
            .toList();

    /** Looks at the properties that are set, once all beans exist, and adds what it finds. */
    void addAll() {
        addUnusedNames();
        addSections();
        addExecutors();
        if (properties.annotations().enabled() && methods().isEmpty()) {
            add(
                    ANNOTATIONS,
                    "no bean has a method with @Collapsible or @CollapseBatch that collapses. Annotate one, have spring-aop on"
                            + " the class path, or remove the property.");
        }
        if (properties.cluster().enabled() && instances.getIfAvailable() == null) {
            add(
                    OptionsReader.CLUSTER,
                    "nothing shares with other instances: that needs " + OptionsReader.SECRET
                            + ", and one ReactiveRedisConnectionFactory bean, as spring-boot-starter-data-redis has one. Add what is"
                            + " missing, or remove the property.");
        }
        if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false).length == 0) {
            add(
                    SEQUENCES,
                    "there is no DataSource bean that numbers could be taken from. Define one, for example by"
                            + " spring.datasource.url, or remove the property.");
        } else if (properties.sequences().table() == null) {
            for (String column : List.of(".name-column", ".number-column")) {
                add(
                        SEQUENCES + column,
                        "without " + SEQUENCES
                                + ".table, numbers are those of the database's sequences. Name the table, or"
                                + " remove the property.");
            }
        }
    }

    /** Names under {@code collapse.executor.executors} that are those of no executor. */
    private void addUnusedNames() {
        Set<String> known = new TreeSet<>(OptionsReader.SECTIONS);
        known.addAll(named.names());
        known.addAll(methods());
        properties.executors().keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> sentences.add(unused(name, known)));
    }

    private String unused(String name, Set<String> known) {
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

    /** Adds what is set of a property and has no effect, and why with the remedy. */
    private void add(String property, String reason) {
        add(set.below(property), reason);
    }

    private void add(List<ConfigurationPropertyName> names, String reason) {
        if (!names.isEmpty()) {
            sentences.add(set.named(names) + reason);
        }
    }

    private void addSections() {
        properties.sections().forEach((property, section) -> {
            boolean namesNone = section.applyBeanNames().isEmpty()
                    && section.applyHttpServiceGroups().isEmpty();
            if (section.enabled() && section.collapseGroups().isEmpty() && namesNone) {
                add(
                        property,
                        property + " has no group, so that nothing collapses. Add " + property
                                + ".collapse-groups, for example \"- uris: /user/*\", or remove the property.");
            }
        });
    }

    /** How each executor gathers that there is, by its name. */
    private Map<String, CollapseOptions> executors() {
        Map<String, CollapseOptions> executors = new LinkedHashMap<>();
        sections.all().stream()
                .filter(section -> section.enabled() && !section.http().rules().isEmpty())
                .filter(section -> OptionsReader.SECTIONS.contains(section.name()))
                .forEach(section -> executors.put(section.name(), withJoinOfGroups(section)));
        named.names().forEach(name -> executors.put(name, named.options(name)));
        CollapsingControl control = annotated.getIfAvailable();
        methods().forEach(name -> executors.put(name, control.options(name)));
        return executors;
    }

    /** How a section gathers; in flight if any of its groups does. */
    private static CollapseOptions withJoinOfGroups(HttpSections.Section section) {
        CollapseOptions core = section.core();
        boolean joins = section.http().rules().stream()
                .anyMatch(rule -> (rule.joinMode() == null ? core.joinMode() : rule.joinMode()) == JoinMode.IN_FLIGHT);
        return core.toBuilder()
                .joinMode(joins ? JoinMode.IN_FLIGHT : JoinMode.FRESH)
                .build();
    }

    private List<String> methods() {
        CollapsingControl control = annotated.getIfAvailable();
        return control == null ? List.of() : control.executors();
    }

    private void addExecutors() {
        Map<String, CollapseOptions> executors = executors();
        if (executors.isEmpty()) {
            add(
                    GATHERING.stream()
                            .flatMap(key -> set.below(CollapseExecutorProperties.PREFIX + "." + key).stream())
                            .toList(),
                    "no section has groups, no method is annotated, and no executor is made by name. Add what is to"
                            + " collapse, or remove the property.");
        }
        OptionsReader.SECTIONS.stream()
                .filter(name ->
                        !executors.containsKey(name) && properties.executors().containsKey(name))
                .forEach(name -> add(
                        OptionsReader.propertyOf(name),
                        "no request of " + properties.propertyOfSection(name)
                                + " collapses. Have its section collapse something, or remove the property."));
        addOverridden(executors);
    }

    /** Properties of one executor, and those of all, before which another one goes. */
    private void addOverridden(Map<String, CollapseOptions> executors) {
        addBatchSize("servlet", properties.servlet().batchSize());
        addBatchSize("webflux", properties.webflux().batchSize());
        for (String name : OptionsReader.SECTIONS) {
            HttpSection section = properties.section(name);
            if (section != null && section.join() != null) {
                add(
                        OptionsReader.propertyOf(name) + ".join",
                        properties.propertyOfSection(name) + ".join goes before it. Remove one of the two.");
            } else if (section != null
                    && !section.collapseGroups().isEmpty()
                    && section.collapseGroups().stream().allMatch(group -> group.join() != null)) {
                add(
                        OptionsReader.propertyOf(name) + ".join",
                        "each group of " + properties.propertyOfSection(name)
                                + " has a join of its own. Remove it here, or from the groups that are to follow it.");
            }
        }
        addUnread(
                executors,
                "max-wait",
                options -> options.maxWaitRatio() == 0,
                "max-wait-ratio is 0, so that no batch waits for calls in flight. Raise max-wait-ratio");
        addUnread(
                executors,
                "collecting-wait-time",
                options -> options.waitThreshold() <= 1,
                "wait-threshold is at most 1, and no batch has fewer inputs. Raise wait-threshold");
        addUnread(
                executors,
                "wait-threshold",
                options -> options.collectingWaitTime().compareTo(Duration.ZERO) < 0,
                "collecting-wait-time is negative, so that no batch waits for more inputs. Set collecting-wait-time");
        Map<String, CollapseOptions> withoutOptionsOfCalls = new LinkedHashMap<>(executors);
        named.names().forEach(withoutOptionsOfCalls::remove); // a call may name a join mode of its own
        if (withoutOptionsOfCalls.size() == executors.size()) {
            addUnread(
                    withoutOptionsOfCalls,
                    "max-join-age",
                    options -> options.joinMode() == JoinMode.FRESH,
                    "join is fresh, so that no running call is joined. Set join to in-flight");
        }
    }

    private void addBatchSize(String server, @Nullable Integer batchSize) {
        if (batchSize != null) {
            add(
                    OptionsReader.propertyOf(server) + ".max-batch-size",
                    CollapseExecutorProperties.PREFIX + "." + server
                            + ".batch-size goes before it. Remove one of the two.");
        }
    }

    /** A property of all executors that none of them reads, and that of an executor which does not. */
    private void addUnread(
            Map<String, CollapseOptions> executors, String key, Predicate<CollapseOptions> isUnread, String reason) {
        String whole = reason + ", or remove the property.";
        if (!executors.isEmpty() && executors.values().stream().allMatch(isUnread)) {
            add(CollapseExecutorProperties.PREFIX + "." + key, whole);
        }
        executors.forEach((name, options) -> {
            if (isUnread.test(options)) {
                add(OptionsReader.propertyOf(name) + "." + key, whole);
            }
        });
    }
}

package io.github.collapseexecutor.spring.boot.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The clients that a section names, and which of its groups hold for each of them.
 *
 * <p>A group that names clients holds for them and for no other. A group that names none holds for the clients that the section names,
 * and for those to which the application has added an injected adapter.
 *
 * @param property the section's name from the root
 */
public record SectionClients(String property, HttpSection section, CollapseExecutorProperties properties) {

    /**
     * A name where it was written.
     *
     * @param property the element of the list, by its name from the root
     */
    public record Named(String property, String name) {}

    /** Whether the section, or one of its groups, shares with other instances; not if a switch is off. */
    public boolean isShared() {
        return isOn()
                && (section.cluster()
                        || section.collapseGroups().stream().anyMatch(group -> Boolean.TRUE.equals(group.cluster())));
    }

    private boolean isOn() {
        return properties.collapses(section);
    }

    /** Those of {@code rest-template}, or {@code rest-client}: the section of RestTemplates and RestClients. */
    public static SectionClients ofRestTemplate(CollapseExecutorProperties properties) {
        return new SectionClients(properties.propertyOfSection("rest-template"), properties.restTemplate(), properties);
    }

    /** Those of {@code web-client}. */
    public static SectionClients ofWebClient(CollapseExecutorProperties properties) {
        return new SectionClients(OptionsReader.WEB_CLIENT, properties.webClient(), properties);
    }

    /** Every place where a client is named, in order; none where a switch is off. */
    public List<Named> places(ClientKind kind) {
        List<Named> places = new ArrayList<>();
        if (isOn()) {
            addPlaces(property, kind, kind.namesIn(section), places);
            List<CollapseExecutorProperties.Group> groups = section.collapseGroups();
            for (int i = 0; i < groups.size(); i++) {
                addPlaces(OptionsReader.groupOf(property, i), kind, kind.namesIn(groups.get(i)), places);
            }
        }
        return places;
    }

    private static void addPlaces(String owner, ClientKind kind, List<String> names, List<Named> places) {
        for (int i = 0; i < names.size(); i++) {
            places.add(new Named(owner + "." + kind.key() + "[" + i + "]", names.get(i)));
        }
    }

    /** The names of all clients of a kind, each once; none where a switch is off. */
    Set<String> names(ClientKind kind) {
        Set<String> names = new LinkedHashSet<>();
        places(kind).forEach(place -> names.add(place.name()));
        return names;
    }

    /** Whether a client is named anywhere in the section, by any of its names, and no switch is off. */
    public boolean has(ClientKind kind, Set<String> namesOfClient) {
        return !Collections.disjoint(names(kind), namesOfClient);
    }

    /** Of a list with an element for each group, those whose groups hold for a client, by any of its names. */
    public <T> List<T> ofClient(ClientKind kind, Set<String> namesOfClient, List<T> ofGroups) {
        return held(ofGroups, group -> holdsFor(group, kind, namesOfClient));
    }

    /** Of a list with an element for each group, those whose groups hold for a client that has an injected adapter. */
    public <T> List<T> ofOthers(List<T> ofGroups) {
        return held(ofGroups, group -> isForAll(group));
    }

    private <T> List<T> held(List<T> ofGroups, Predicate<CollapseExecutorProperties.Group> isHeld) {
        return IntStream.range(0, ofGroups.size())
                .filter(i -> isHeld.test(section.collapseGroups().get(i)))
                .mapToObj(ofGroups::get)
                .toList();
    }

    /** Whether one group holds for each client for which another one holds. */
    public boolean holdsWherever(int one, int other) {
        CollapseExecutorProperties.Group first = section.collapseGroups().get(one);
        CollapseExecutorProperties.Group second = section.collapseGroups().get(other);
        return (!isForAll(second) || isForAll(first))
                && Stream.of(ClientKind.values())
                        .allMatch(kind -> names(kind).stream()
                                .filter(name -> holdsFor(second, kind, Set.of(name)))
                                .allMatch(name -> holdsFor(first, kind, Set.of(name))));
    }

    private boolean holdsFor(CollapseExecutorProperties.Group group, ClientKind kind, Set<String> namesOfClient) {
        List<String> named = isForAll(group) ? kind.namesIn(section) : kind.namesIn(group);
        return !Collections.disjoint(named, namesOfClient);
    }

    /** Whether a group names no client. */
    public static boolean isForAll(CollapseExecutorProperties.Group group) {
        return Stream.of(ClientKind.values())
                .allMatch(kind -> kind.namesIn(group).isEmpty());
    }

    /** The clients of a group as the log names them: none for one that names none. */
    public static List<String> described(CollapseExecutorProperties.Group group) {
        return described(group.applyBeanNames(), group.applyHttpServiceGroups());
    }

    /** The clients for which a group holds because the properties name them, as the log names them. */
    public static List<String> namedFor(CollapseExecutorProperties.Group group, HttpSection section) {
        return isForAll(group)
                ? described(section.applyBeanNames(), section.applyHttpServiceGroups())
                : described(group);
    }

    /** All clients of the section as the log names them. */
    public List<String> described() {
        return described(names(ClientKind.BEAN), names(ClientKind.HTTP_SERVICE_GROUP));
    }

    private static List<String> described(Iterable<String> beans, Iterable<String> serviceGroups) {
        List<String> described = new ArrayList<>();
        beans.forEach(described::add);
        serviceGroups.forEach(name -> described.add("HTTP service group " + name));
        return described;
    }
}

package io.github.collapseexecutor.spring.boot.report;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.client.AdapterUse;
import io.github.collapseexecutor.spring.boot.cluster.ClusterReader;
import io.github.collapseexecutor.spring.boot.cluster.InstanceSharing;
import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.EnumWord;
import io.github.collapseexecutor.spring.boot.config.HttpSection;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import io.github.collapseexecutor.spring.boot.config.SetProperties;
import io.github.collapseexecutor.spring.boot.config.TestSlice;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.MadeExecutors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Says in the log, once all beans exist, what collapses: a line for each section that has groups, and a warning for each mistake
 * that stops no start.
 */
@Lazy(false)
public record StartReport(
        CollapseExecutorProperties properties,
        ConfigurableListableBeanFactory beans,
        AdapterUse use,
        HttpSections sections,
        MadeExecutors named,
        ObjectProvider<CollapsingControl> annotated,
        ObjectProvider<InstanceSharing> instances,
        Environment environment)
        implements SmartInitializingSingleton {

    private static final String WEB_APPLICATION_TYPE = "spring.main.web-application-type";

    private static final Log logger = LogFactory.getLog(StartReport.class);

    /** The bean that serves requests with WebFlux. */
    private static final String REACTIVE_SERVER = "webHandler";

    /**
     * What makes clients of one kind collapse.
     *
     * @param beanName the bean's name
     * @param kind what a message calls it
     * @param client the class of the clients
     */
    private record Adapter(String beanName, String kind, String client) {}

    @Override
    public void afterSingletonsInstantiated() {
        reportSwitches();
        reportClients(
                properties.propertyOfSection("rest-template"),
                properties.restTemplate(),
                new Adapter(AdapterUse.INTERCEPTOR, "interceptor", "org.springframework.web.client.RestTemplate"));
        reportClients(
                OptionsReader.WEB_CLIENT,
                properties.webClient(),
                new Adapter(
                        AdapterUse.FILTER_FUNCTION,
                        "filter",
                        "org.springframework.web.reactive.function.client.WebClient"));
        if (!TestSlice.isIn(environment)) {
            reportServer(
                    OptionsReader.SERVLET,
                    properties.servlet(),
                    "collapseServletFilterRegistration",
                    "filter",
                    "this is no web application of servlets, so that nothing collapses."
                            + webApplication(
                                    "servlet",
                                    "Add a servlet container, for example by spring-boot-starter-web (on Spring Boot 4,"
                                            + " spring-boot-starter-webmvc)")
                            + ", or remove the section; for requests to a server of WebFlux, use "
                            + OptionsReader.WEBFLUX
                            + ", and for requests that the application sends, use " + OptionsReader.REST_TEMPLATE
                            + " or "
                            + OptionsReader.WEB_CLIENT + ".");
            reportServer(
                    OptionsReader.WEBFLUX,
                    properties.webflux(),
                    REACTIVE_SERVER,
                    "web filter",
                    "this is no reactive web application, so that nothing collapses."
                            + webApplication(
                                    "reactive",
                                    "Add a reactive server, for example by spring-boot-starter-webflux without the starter"
                                            + " of Spring MVC")
                            + ", or remove the section; for a server of servlets, use "
                            + OptionsReader.SERVLET + ".");
        }
        reportAnnotatedMethods();
        WrongPrefixes.in(environment).forEach(StartReport::warn);
        UnreadNames.in(environment).forEach(StartReport::warn);
        warnOfUnreadCluster();
        if (properties.enabled()) {
            List<String> mistakes = new ArrayList<>();
            SilentMistakes.addShort(
                    CollapseExecutorProperties.PREFIX + ".call-timeout", properties.callTimeout(), mistakes);
            properties
                    .executors()
                    .forEach((name, own) -> SilentMistakes.addShort(
                            OptionsReader.propertyOf(name) + ".call-timeout", own.callTimeout(), mistakes));
            if (!mayHaveMore()) {
                SetProperties set = SetProperties.in(environment);
                new IneffectiveProperties(properties, beans, sections, named, annotated, instances, set, mistakes)
                        .addAll();
            }
            mistakes.forEach(StartReport::warn);
        }
    }

    /** Whether there may be more clients and executors than can be seen. */
    private boolean mayHaveMore() {
        return TestSlice.isIn(environment)
                || environment.getProperty("spring.main.lazy-initialization", Boolean.class, false);
    }

    /** Says how the application becomes one of that type; a property that makes it another one counts more than what it depends on. */
    private String webApplication(String type, String dependency) {
        String present = environment.getProperty(WEB_APPLICATION_TYPE);
        return present == null
                ? " " + dependency
                : " " + WEB_APPLICATION_TYPE + " is " + present + ": set it to " + type;
    }

    /** A switch that is off is meant, and in an incident somebody asks the log whether it is. */
    private void reportSwitches() {
        if (!properties.enabled()) {
            reportSwitch(CollapseExecutorProperties.PREFIX, "nothing collapses");
            return;
        }
        properties.sections().forEach((property, section) -> {
            if (!section.enabled()) {
                reportSwitch(property, "each of its requests is sent or handled by itself");
            }
        });
        if (!properties.annotations().enabled()) {
            reportSwitch(CollapseExecutorProperties.PREFIX + ".annotations", "each call runs its method");
        }
        if (!properties.cluster().enabled()) {
            reportSwitch(OptionsReader.CLUSTER, "no call is shared with other instances");
        }
    }

    private static void reportSwitch(String section, String effect) {
        logger.info(section + ".enabled is false: " + effect + ", and no other property below " + section
                + " has an effect. Remove it, or set it to true, to collapse again.");
    }

    private void reportAnnotatedMethods() {
        CollapsingControl control = annotated.getIfAvailable();
        if (control != null && !control.executors().isEmpty()) {
            logger.info("annotations: "
                    + control.executors().stream()
                            .map(name -> name + " ("
                                    + EnumWord.of(control.options(name).joinMode()) + ")")
                            .collect(Collectors.joining(", "))
                    + (control.executors().size() > 1 ? " collapse" : " collapses"));
        }
    }

    /** The section is read where calls may be shared; elsewhere, a mistake in it would wait for the day on which they are. */
    private void warnOfUnreadCluster() {
        CollapseExecutorProperties.Cluster section = properties.cluster();
        if (section.secret() != null && !beans.containsBean("collapseClusterSettings")) {
            String mistake = ClusterReader.mistake(section, environment.getProperty("spring.application.name", ""));
            if (mistake != null) {
                warn(mistake);
            }
        }
    }

    private void reportClients(String property, HttpSection section, Adapter adapter) {
        if (!properties.collapses(section)) {
            return;
        }
        List<String> names = new SectionClients(property, section, properties).described();
        boolean isOurs = beans.containsBean(adapter.beanName() + "Options");
        boolean isUsed = isOurs && use.of(adapter.beanName());
        if (section.collapseGroups().isEmpty()) {
            reportWithoutGroup(property, section, names, isUsed, adapter);
        } else if (!isOurs) {
            warn(property + " has groups, but "
                    + (ClassUtils.isPresent(adapter.client(), beans.getBeanClassLoader())
                            ? "the application defines the " + adapter.kind() + " itself, which does not read them."
                                    + " Remove the bean or the section."
                            : adapter.client() + " is not on the class path. Add its library, or remove the section."));
        } else {
            String subject =
                    names.isEmpty() ? "each client with an injected " + adapter.kind() : String.join(", ", names);
            report(property, section, subject + (names.size() > 1 ? " collapse " : " collapses "));
            reportGroupsOfNobody(property, section, isUsed);
            if (!isUsed && names.isEmpty() && !mayHaveMore()) {
                warn("No client uses the groups of " + property + ". Name the beans of the clients in " + property
                        + ".apply-bean-names, or inject the " + adapter.kind()
                        + " and add it to a client as its last one.");
            }
        }
    }

    /** A group that names no client holds for those of the section, of which there may be none although other groups have some. */
    private void reportGroupsOfNobody(String property, HttpSection section, boolean isUsed) {
        boolean hasClients = isUsed
                || !section.applyBeanNames().isEmpty()
                || !section.applyHttpServiceGroups().isEmpty();
        List<CollapseExecutorProperties.Group> groups = section.collapseGroups();
        if (hasClients || mayHaveMore() || groups.stream().allMatch(SectionClients::isForAll)) {
            return;
        }
        for (int i = 0; i < groups.size(); i++) {
            if (SectionClients.isForAll(groups.get(i))) {
                String group = OptionsReader.groupOf(property, i);
                warn("No client uses " + group + ": it names none, and neither does " + property
                        + ". Name its clients in " + group + ".apply-bean-names, or in " + property
                        + ".apply-bean-names those that use every group without names.");
            }
        }
    }

    private static void reportWithoutGroup(
            String property, HttpSection section, List<String> names, boolean isUsed, Adapter adapter) {
        String remedy = property + " has no group, so that nothing collapses. Add " + property
                + ".collapse-groups, for example \"- uris: /user/*\".";
        if (!names.isEmpty()) {
            String key =
                    section.applyBeanNames().isEmpty() ? ClientKind.HTTP_SERVICE_GROUP.key() : ClientKind.BEAN.key();
            warn(property + "." + key + " names " + String.join(", ", names) + ", but " + remedy);
        } else if (isUsed) {
            warn("A collapsing " + adapter.kind() + " is injected, but " + remedy);
        }
    }

    /**
     * Reports of the section of a server.
     *
     * @param server the bean that is there if the application is such a server
     * @param kind what a message calls the filter
     * @param missing why nothing collapses if it is none, and the remedy
     */
    private void reportServer(String property, HttpSection section, String server, String kind, String missing) {
        if (!properties.collapses(section) || section.collapseGroups().isEmpty()) {
            return;
        }
        if (sections.find(OptionsReader.nameOf(property)) != null) {
            report(property, section, "this server collapses ");
        } else if (beans.containsBean(server)) {
            warn(property + " has groups, but the application defines the " + kind
                    + " itself, which does not read them. Remove the bean or the section.");
        } else {
            warn(property + " has groups, but " + missing);
        }
    }

    private void report(String property, HttpSection section, String subject) {
        HttpCollapseOptions http = OptionsReader.httpOptions(property, section, options -> {});
        String name = OptionsReader.nameOf(property);
        CollapseOptions core = OptionsReader.coreOptions(name, properties);
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < http.rules().size(); i++) {
            groups.add(described(
                    http.rules().get(i),
                    SectionClients.described(section.collapseGroups().get(i))));
        }
        logger.info(name + ": " + subject + String.join(", ", groups) + ", " + EnumWord.of(core.joinMode()));
        SectionClients clients = new SectionClients(property, section, properties);
        new SilentMistakes(property, section, clients, http.rules(), core).all().forEach(StartReport::warn);
    }

    private static String described(CollapseRule group, List<String> clients) {
        return group.patterns().stream().map(Object::toString).collect(Collectors.joining(" and ")) + " ("
                + group.policy().name() + (group.joinMode() == null ? "" : ", " + EnumWord.of(group.joinMode()))
                + (group.dryRun() == null ? "" : ", dry run")
                + (clients.isEmpty() ? "" : ", only " + String.join(" and ", clients)) + ")";
    }

    private static void warn(String mistake) {
        logger.warn(mistake);
    }
}

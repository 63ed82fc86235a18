package io.github.collapseexecutor.spring.annotation.caller;

import io.github.collapseexecutor.spring.annotation.DataSourceByThread;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpSession;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.context.request.RequestAttributes;

/**
 * Finds out whether a bean may look at what belongs to one caller: a bean of a request or session, the request itself, or a data source that may ask
 * the thread whose data is meant. It follows what Spring has injected, into the bean and into all that it uses.
 */
final class CallersBeans {

    /** The scopes whose beans are the same for all callers, or belong to whichever bean uses them. */
    private static final Set<String> OF_ALL = Set.of("", "singleton", "prototype", "application", "refresh");

    private static final Set<String> PROVIDERS = Set.of(
            "org.springframework.beans.factory.ObjectFactory",
            "org.springframework.beans.factory.ObjectProvider",
            "jakarta.inject.Provider");

    private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");
    private static final boolean WEB = isPresent("org.springframework.web.context.request.RequestContextHolder");

    // immutable
    private final ConfigurableListableBeanFactory beans;
    /** The beans, and those of the contexts above. */
    private final List<ConfigurableListableBeanFactory> levels = new ArrayList<>();

    CallersBeans(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        BeanFactory each = beans;
        while (each instanceof ConfigurableListableBeanFactory level) {
            levels.add(level);
            each = level.getParentBeanFactory();
        }
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, CallersBeans.class.getClassLoader());
    }

    /** Says what a bean uses that may be another's for each caller, in the words of a message; null if there is no such thing. */
    @Nullable String usedBy(String beanName) {
        Set<String> seen = new HashSet<>(Set.of(beanName));
        Deque<String> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            String name = open.remove();
            String found = name.equals(beanName) ? null : whatIs(name);
            List<String> uses = dependenciesOf(name);
            if (found == null) {
                found = inFields(name, uses);
            }
            if (found != null) {
                return found;
            }
            uses.stream().filter(seen::add).forEach(open::add);
        }
        return null;
    }

    private List<String> dependenciesOf(String name) {
        List<String> dependencies = new ArrayList<>();
        levels.forEach(level -> dependencies.addAll(List.of(level.getDependenciesForBean(name))));
        return dependencies;
    }

    private @Nullable String whatIs(String name) {
        for (String defined : List.of(ScopedProxyUtils.getTargetBeanName(name), name)) {
            String scope = scopeOf(defined);
            if (!OF_ALL.contains(scope)) {
                return "the bean \"" + name + "\" of scope \"" + scope + "\"";
            }
        }
        return dataSourceByThread(name);
    }

    private @Nullable String dataSourceByThread(String name) {
        if (!beans.containsBean(name) || !beans.isSingleton(name) || !beans.isTypeMatch(name, DataSource.class)) {
            return null;
        }
        Class<?> choosing = DataSourceByThread.choosingData(beans.getBean(name, DataSource.class));
        return choosing == null
                ? null
                : "the data source \"" + name + "\", of which " + choosing.getName()
                        + " may ask the thread whose data is meant";
    }

    private String scopeOf(String name) {
        for (ConfigurableListableBeanFactory level : levels) {
            if (level.containsBeanDefinition(name)) {
                String scope = level.getMergedBeanDefinition(name).getScope();
                return scope == null ? "" : scope;
            }
        }
        return "";
    }

    /**
     * Looks for the request among what a bean was given, which is no bean itself. The beans that it may ask a provider for are added to those that it uses.
     *
     * @param uses the names of beans that it uses
     */
    private @Nullable String inFields(String name, List<String> uses) {
        Class<?> type = beans.containsBean(name) ? beans.getType(name, false) : null;
        for (Class<?> each = type; each != null && isOfAnApplication(each); each = each.getSuperclass()) {
            for (Field field : fieldsOf(each)) {
                ResolvableType given = ResolvableType.forField(field);
                if (PROVIDERS.contains(field.getType().getName())) {
                    given = given.getGeneric(0);
                    uses.addAll(namesOf(given));
                }
                if (isOfARequest(given.toClass())) {
                    return "the " + given.toClass().getSimpleName() + " in the field \"" + field.getName()
                            + "\" of the bean \"" + name + "\"";
                }
            }
        }
        return null;
    }

    /** Without those of a provider of any object: it says nothing of what it is asked for. */
    private List<String> namesOf(ResolvableType provided) {
        return provided.toClass() == Object.class
                ? List.of()
                : List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, provided, true, false));
    }

    private static boolean isOfAnApplication(Class<?> type) {
        return !type.getName().startsWith("java.") && !type.getName().startsWith("org.springframework.");
    }

    /** Without those of a class of which a part is not on the class path; Spring has not looked at them either. */
    private static List<Field> fieldsOf(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        try {
            ReflectionUtils.doWithLocalFields(type, fields::add);
        } catch (IllegalStateException | LinkageError incomplete) {
            return List.of();
        }
        return fields;
    }

    private static boolean isOfARequest(Class<?> type) {
        return (SERVLET && Servlets.have(type)) || (WEB && Requests.have(type));
    }

    /** Apart, because an application may be without servlets. */
    private static final class Servlets {

        static boolean have(Class<?> type) {
            return ServletRequest.class.isAssignableFrom(type)
                    || ServletResponse.class.isAssignableFrom(type)
                    || HttpSession.class.isAssignableFrom(type);
        }
    }

    /** Apart, because an application may be without spring-web. */
    private static final class Requests {

        static boolean have(Class<?> type) {
            return RequestAttributes.class.isAssignableFrom(type);
        }
    }
}

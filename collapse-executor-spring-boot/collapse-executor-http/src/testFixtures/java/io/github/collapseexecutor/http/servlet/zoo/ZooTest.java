package io.github.collapseexecutor.http.servlet.zoo;

import jakarta.servlet.Filter;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.web.filter.CharacterEncodingFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.filter.FormContentFilter;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.HiddenHttpMethodFilter;
import org.springframework.web.filter.RequestContextFilter;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.servlet.resource.ResourceUrlEncodingFilter;

/** A test of filters in front of the collapsing one, on every server and with every way to wait that the filters support. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(ZooTest.Settings.class)
public @interface ZooTest {

    /** The filters in front. */
    Class<? extends Filter>[] value();

    /** Gives a test its settings. */
    final class Settings implements ArgumentsProvider, AnnotationConsumer<ZooTest> {

        /** The filters that give the same result when a request leaves them and comes back by an asynchronous dispatch. */
        static final Set<Class<? extends Filter>> SUPPORT_ASYNC = Set.of(
                CharacterEncodingFilter.class,
                FormContentFilter.class,
                HiddenHttpMethodFilter.class,
                ForwardedHeaderFilter.class,
                CorsFilter.class,
                RequestContextFilter.class,
                ServerHttpObservationFilter.class,
                ResourceUrlEncodingFilter.class,
                FilterChainProxy.class,
                SessionRepositoryFilter.class);

        // mutable, confined to JUnit's thread
        private boolean supportAsync;

        @Override
        public void accept(ZooTest test) {
            supportAsync = SUPPORT_ASYNC.containsAll(List.of(test.value()));
        }

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            return ZooSetting.all(supportAsync).map(Arguments::of);
        }
    }
}

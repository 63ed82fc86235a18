package io.github.collapseexecutor.foreign.server;

import jakarta.servlet.Filter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CharacterEncodingFilter;
import org.springframework.web.filter.CommonsRequestLoggingFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.tuckey.web.filters.urlrewrite.UrlRewriteFilter;
import org.zalando.logbook.Correlation;
import org.zalando.logbook.HttpLogWriter;
import org.zalando.logbook.Logbook;
import org.zalando.logbook.Precorrelation;
import org.zalando.logbook.core.DefaultHttpLogFormatter;
import org.zalando.logbook.core.DefaultSink;
import org.zalando.logbook.servlet.LogbookFilter;

/**
 * What is around the guests of an application of servlets, drawn from a seed.
 *
 * @param container its server
 * @param filters names of the filters in front, in their order
 * @param security whether Spring Security is there, and where
 * @param waiting where followers wait
 * @param join whether a request may join a run that has begun
 * @param compressed whether the server compresses
 */
record Surroundings(
        Container container, List<String> filters, Security security, String waiting, String join, boolean compressed) {

    /** A server. */
    enum Container {
        TOMCAT,
        JETTY,
        UNDERTOW
    }

    /** Spring Security, before the other filters or behind them. */
    enum Security {
        NONE,
        FIRST,
        LAST
    }

    private static final Map<String, Supplier<Filter>> FILTERS = new LinkedHashMap<>();

    static {
        FILTERS.put("etag", ShallowEtagHeaderFilter::new);
        FILTERS.put("logbook", Surroundings::logbook);
        FILTERS.put("cors", Surroundings::cors);
        FILTERS.put(
                "session", () -> new SessionRepositoryFilter<>(new MapSessionRepository(new ConcurrentHashMap<>())));
        FILTERS.put("encoding", () -> new CharacterEncodingFilter("UTF-8", true));
        FILTERS.put("forwarded", ForwardedHeaderFilter::new);
        FILTERS.put("log", CommonsRequestLoggingFilter::new);
        FILTERS.put("rewrite", UrlRewriteFilter::new);
    }

    /** Those that support that a follower leaves them without a response; the guide says that others see an empty one. */
    private static final Set<String> SUPPORTING = Set.of("cors", "session", "encoding", "forwarded");

    static Surroundings drawn(Random random) {
        List<String> filters = new ArrayList<>(FILTERS.keySet());
        Collections.shuffle(filters, random);
        List<String> few = List.copyOf(filters.subList(0, random.nextInt(5)));
        return new Surroundings(
                drawn(random, Container.values()),
                few,
                drawn(random, Security.values()),
                drawn(random, "auto", "block", SUPPORTING.containsAll(few) ? "async" : "auto"),
                drawn(random, "fresh", "in-flight"),
                random.nextInt(3) == 0);
    }

    @SafeVarargs
    private static <T> T drawn(Random random, T... values) {
        return values[random.nextInt(values.length)];
    }

    static Filter filter(String name) {
        return FILTERS.get(name).get();
    }

    private static Filter logbook() {
        return new LogbookFilter(Logbook.builder()
                .sink(new DefaultSink(new DefaultHttpLogFormatter(), new HttpLogWriter() {
                    @Override
                    public void write(Precorrelation precorrelation, String request) {}

                    @Override
                    public void write(Correlation correlation, String response) {}
                }))
                .build());
    }

    private static Filter cors() {
        CorsConfiguration configuration = new CorsConfiguration().applyPermitDefaultValues();
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", configuration);
        return new CorsFilter(source);
    }
}

package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.context.i18n.SimpleLocaleContext;
import org.springframework.context.i18n.SimpleTimeZoneAwareLocaleContext;
import reactor.core.publisher.Mono;

/** Each caller is answered in the language and the time zone of its request. */
class LocaleOfCallersTests {

    static class Greetings {

        // immutable
        private final Gate gate;

        Greetings(Gate gate) {
            this.gate = gate;
        }

        private static String place() {
            return LocaleContextHolder.getLocale().getLanguage() + " at "
                    + LocaleContextHolder.getTimeZone().getID();
        }

        private String greeting(String name) {
            String place = place();
            gate.pass(place.substring(0, 2));
            return name + " in " + place;
        }

        /** Ends the call on a thread that has no language. */
        private <T> CompletableFuture<T> elsewhere(T answer) {
            String place = place();
            return CompletableFuture.supplyAsync(
                    () -> {
                        gate.pass(place.substring(0, 2));
                        return answer;
                    },
                    task -> new Thread(task).start());
        }

        @Collapsible(name = "plain")
        public String plain(String name) {
            return greeting(name);
        }

        @Collapsible(name = "across", acrossUsers = true)
        public String across(String name) {
            return greeting(name);
        }

        @Collapsible(name = "future")
        public CompletableFuture<String> future(String name) {
            return elsewhere(name + " in " + place());
        }

        @Collapsible(name = "mono")
        public Mono<String> mono(String name) {
            return Mono.fromFuture(elsewhere(name + " in " + place()));
        }

        @CollapseBatch(method = "many", name = "batch")
        public String one(String name) {
            throw new AssertionError("only the batch method is called");
        }

        public Map<String, String> many(Collection<String> names) {
            Map<String, String> answers = new HashMap<>();
            names.forEach(name -> answers.put(name, greeting(name)));
            return answers;
        }

        @CollapseBatch(method = "laterMany", name = "futures")
        public CompletableFuture<String> later(String name) {
            throw new AssertionError("only the batch method is called");
        }

        public CompletableFuture<Map<String, String>> laterMany(Collection<String> names) {
            Map<String, String> answers = new HashMap<>();
            names.forEach(name -> answers.put(name, name + " in " + place()));
            return elsewhere(answers);
        }
    }

    /** The ways to ask. */
    enum Way {
        PLAIN,
        ACROSS,
        FUTURE,
        MONO,
        BATCH,
        FUTURES;

        String executor() {
            return name().toLowerCase(Locale.ROOT);
        }

        String ask(Greetings greetings) throws Exception {
            return switch (this) {
                case PLAIN -> greetings.plain("ann");
                case ACROSS -> greetings.across("ann");
                case FUTURE -> greetings.future("ann").get();
                case MONO -> greetings.mono("ann").block();
                case BATCH -> greetings.one("ann");
                case FUTURES -> greetings.later("ann").get();
            };
        }
    }

    private static String in(LocaleContext locale, Way way, Greetings greetings) throws Exception {
        LocaleContextHolder.setLocaleContext(locale);
        try {
            String answer = way.ask(greetings);
            assertThat(LocaleContextHolder.getLocaleContext()).isSameAs(locale);
            return answer;
        } finally {
            LocaleContextHolder.resetLocaleContext();
        }
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(Greetings.class);
    private final Greetings greetings = application.get(Greetings.class);
    private final Gate gate = application.get(Gate.class);

    @AfterEach
    void close() {
        gate.open();
        application.close();
    }

    private List<String> twenty(Way way, LocaleContext even, LocaleContext odd) throws Exception {
        return Burst.of(
                20,
                gate,
                application.executor(way.executor()),
                index -> () -> in(index % 2 == 0 ? even : odd, way, greetings));
    }

    @ParameterizedTest
    @EnumSource
    void eachCallerIsAnsweredInItsLanguage(Way way) throws Exception {
        String zone = TimeZone.getDefault().getID();
        List<String> answers =
                twenty(way, new SimpleLocaleContext(Locale.FRENCH), new SimpleLocaleContext(Locale.GERMAN));
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i)).isEqualTo("ann in " + (i % 2 == 0 ? "fr" : "de") + " at " + zone);
        }
        assertThat(gate.executions()).hasSizeLessThanOrEqualTo(4).contains("fr", "de");
    }

    @ParameterizedTest
    @EnumSource
    void eachCallerIsAnsweredInItsTimeZone(Way way) throws Exception {
        List<String> answers = twenty(
                way,
                new SimpleTimeZoneAwareLocaleContext(Locale.FRENCH, TimeZone.getTimeZone("Europe/Paris")),
                new SimpleTimeZoneAwareLocaleContext(Locale.FRENCH, TimeZone.getTimeZone("Indian/Reunion")));
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i)).isEqualTo("ann in fr at " + (i % 2 == 0 ? "Europe/Paris" : "Indian/Reunion"));
        }
        assertThat(gate.executions()).hasSizeLessThanOrEqualTo(4);
    }

    /** A job has no language of its own, so that it is answered in that of the JVM. */
    @Test
    void callersWithoutALanguageShareWithThoseOfTheLanguageOfTheJvm() throws Exception {
        String own = Locale.getDefault().getLanguage();
        List<String> answers = Burst.of(
                20,
                gate,
                application.executor("plain"),
                index -> () -> index % 2 == 0
                        ? greetings.plain("ann")
                        : in(new SimpleLocaleContext(Locale.getDefault()), Way.PLAIN, greetings));
        assertThat(answers).allMatch(answer -> answer.startsWith("ann in " + own + " at "));
        assertThat(gate.executions()).hasSizeLessThanOrEqualTo(2);
    }

    /** A thread may have kept that of a request which has ended. */
    @ParameterizedTest
    @EnumSource
    void callersWhoseLanguageCannotBeHadAreAnsweredAlone(Way way) throws Exception {
        LocaleContext gone = () -> {
            throw new IllegalStateException("The request has ended");
        };
        LocaleContextHolder.setLocaleContext(gone);
        try {
            assertThatThrownBy(() -> way.ask(greetings)).hasStackTraceContaining("The request has ended");
        } finally {
            LocaleContextHolder.resetLocaleContext();
        }
        assertThat(in(new SimpleLocaleContext(Locale.FRENCH), way, greetings)).startsWith("ann in fr");
    }
}

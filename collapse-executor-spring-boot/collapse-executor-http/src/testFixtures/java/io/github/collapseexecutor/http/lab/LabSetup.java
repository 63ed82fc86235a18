package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.lab.LabCall.Reading;
import io.github.collapseexecutor.http.lab.LabHandler.Kind;
import io.github.collapseexecutor.http.lab.LabStep.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An application and its callers. Everything follows from a seed, but for the order in which threads run.
 *
 * @param seed what it is made of
 * @param policy which requests may share
 * @param join which batches a request joins
 * @param parks whether followers give their threads back
 * @param smallLimit whether bodies of some kilobytes are too large to share
 * @param remembers whether responses that could not be shared are remembered
 * @param filters the filters in front, in order
 * @param behind the filters behind, in order
 * @param handler the handler
 * @param client how a client is set up
 * @param callers the requests of each caller, one after another over one connection
 */
record LabSetup(
        long seed,
        LabPolicy policy,
        JoinMode join,
        boolean parks,
        boolean smallLimit,
        boolean remembers,
        List<LabFilter> filters,
        List<LabFilter> behind,
        LabHandler handler,
        LabClient client,
        List<List<LabCall>> callers) {

    /** To look for a difference of one kind of handlers. */
    private static final String ONLY_KIND = System.getProperty("http.lab.kind", "");

    /** Names of those that ask, for whom a response may be made. */
    static final List<String> USERS = List.of("ann", "bob", "cid");

    private static final List<String> METHODS =
            List.of("GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "HEAD", "HEAD", "POST", "OPTIONS");
    private static final List<String> SIZES =
            List.of("", "", "", "", "{x*1}", "{x*100}", "{x*8190}", "{x*8192}", "{x*9000}", "{x*40000}", "{x*200000}");
    private static final List<String> TYPES = List.of(
            "text/plain",
            "text/plain;charset=UTF-8",
            "text/html;charset=iso-8859-1",
            "text/plain; charset=\"utf-16\"",
            "application/json",
            "text/plain;charset=x-unknown",
            "text/event-stream",
            "odd");
    private static final List<String> CONTROLS = List.of(
            "no-store",
            "no-cache",
            "private",
            "max-age=0",
            "public, max-age=60",
            "s-maxage=9",
            "must-revalidate",
            "odd");
    private static final List<String> REDIRECTS = List.of("301", "302", "303", "307", "308", "300");
    private static final List<Reading> READINGS =
            List.of(Reading.WHOLE, Reading.WHOLE, Reading.TEXT, Reading.TEXT, Reading.HEAD, Reading.BEGINNING);
    private static final List<String> STATUSES =
            List.of("200", "201", "203", "204", "206", "299", "304", "400", "401", "404", "410", "429", "500", "503");

    /** Makes a set-up. */
    static LabSetup of(long seed, LabMake make) {
        boolean reactive = make.isReactive();
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        LabPolicy policy = pick(List.of(LabPolicy.values()), random);
        JoinMode join = random.nextInt(4) == 0 ? JoinMode.FRESH : JoinMode.IN_FLIGHT;
        LabHandler handler = make.isClient() ? origin(random, policy) : handler(random, policy, reactive);
        LabClient client = make.isClient() ? LabClient.of(random) : LabClient.PLAIN;
        List<LabFilter> filters = new ArrayList<>();
        int count = make.isClient() ? 0 : random.nextInt(4);
        while (filters.size() < count) {
            LabFilter filter = pick(LabFilter.drawn(), random);
            if (!filters.contains(filter) && (reactive || filter.bears(handler.kind()))) {
                filters.add(filter);
            }
        }
        List<LabFilter> behind = new ArrayList<>();
        if (!make.isClient()) {
            addThoseThatBegin(new Random(~(seed * 0x9E3779B97F4A7C15L)), policy, handler, reactive, filters, behind);
        }
        if (make.side() == LabMake.Side.SERVLET) {
            addThoseThatForward(new Random(seed * 0xD1342543DE82EF95L), make, handler, filters, behind);
        }
        boolean parks = !make.isClient()
                && random.nextBoolean()
                && filters.stream().allMatch(LabFilter::bearsDispatches) // as the starter decides
                && behind.stream().allMatch(LabFilter::bearsDispatchedFollowers);
        boolean smallLimit = random.nextInt(4) == 0;
        boolean remembers = random.nextBoolean();
        List<List<LabCall>> callers = new ArrayList<>();
        int size = 2 + random.nextInt(6);
        boolean declares = handler.steps().stream().anyMatch(LabStep::declaresLength);
        int rounds = declares ? 1 : 1 + random.nextInt(2);
        List<LabCall> common = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            common.add(call(random, null, make));
        }
        for (int i = 0; i < size; i++) {
            List<LabCall> calls = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                calls.add(call(random, common.get(round), make));
            }
            callers.add(calls);
        }
        return new LabSetup(
                seed, policy, join, parks, smallLimit, remembers, filters, behind, handler, client, callers);
    }

    /**
     * Adds filters that write when they are asked where to write, and other ones behind the collapsing filter, to one set-up of three. They have
     * a draw of their own, so that the others are made of what they were made of.
     */
    private static void addThoseThatBegin(
            Random random,
            LabPolicy policy,
            LabHandler handler,
            boolean reactive,
            List<LabFilter> filters,
            List<LabFilter> behind) {
        if (random.nextInt(3) != 0) {
            return;
        }
        int inFront = random.nextInt(3);
        for (int i = 0; i < inFront; i++) {
            LabFilter filter = pick(LabFilter.BEGINNING, random);
            int place = random.nextInt(filters.size() + 1);
            if (!filters.contains(filter) && (reactive || filter.bears(handler.kind()))) {
                filters.add(place, filter);
            }
        }
        // in a dispatch, a container gives filters in front what those behind have wrapped
        boolean written = handler.kind() != Kind.DIRECT && filters.contains(LabFilter.TRANSLATES_FAILURES);
        int more = reactive || !(handler.forgetsWrappers() || written) ? random.nextInt(3) : 0;
        for (int i = 0; i < more; i++) {
            LabFilter filter = pick(LabFilter.BEHIND, random);
            boolean counted =
                    filter != LabFilter.GZIP_WHEN_ASKED || policy.usable().contains("language");
            if (counted
                    && !filters.contains(filter)
                    && !behind.contains(filter)
                    && (reactive || filter.bears(handler.kind()))) {
                behind.add(filter);
            }
        }
    }

    /**
     * Adds, to one set-up of four, filters that wrap, or that write before they hand a request on, and has the container forward to the handler or
     * include it. They have a draw of their own, too.
     */
    private static void addThoseThatForward(
            Random random, LabMake make, LabHandler handler, List<LabFilter> filters, List<LabFilter> behind) {
        if (random.nextInt(4) != 0) {
            return;
        }
        int inFront = random.nextInt(3);
        for (int i = 0; i < inFront; i++) {
            LabFilter filter = pick(LabFilter.IN_FRONT_OF_FORWARDS, random);
            int place = random.nextInt(filters.size() + 1);
            if (!filters.contains(filter) && filter.writesAs(make, handler.kind())) {
                filters.add(place, filter);
            }
        }
        LabFilter last = pick(LabFilter.FORWARDING, random);
        // at the beginning of a forward, Jetty clears what filters have written, and at its end, containers ask each
        // filter otherwise
        boolean cleared = last.forwards()
                && Stream.of(filters, behind).flatMap(List::stream).anyMatch(filter -> filter.writesByItself(make));
        if (random.nextInt(3) != 0 && last.bears(handler.kind()) && !cleared) {
            behind.add(last);
        }
    }

    /** A request that has much in common with another; only one whose connection ends with it may leave. */
    private static LabCall call(Random random, @Nullable LabCall common, LabMake make) {
        String method = pick(METHODS, random);
        String query = pick(List.of("", "?q=1", "?q=2", "?q=1&n=1", "?q=1&n=2"), random);
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        headers.add(Map.entry("X-User", pick(USERS, random)));
        if (random.nextInt(3) == 0) {
            headers.add(Map.entry("Accept-Language", pick(List.of("de", "fr"), random)));
        }
        if (random.nextInt(6) == 0) {
            headers.add(Map.entry("Authorization", pick(List.of("Bearer 1", "Bearer 2"), random)));
        }
        if (random.nextInt(4) == 0) {
            headers.add(Map.entry("Accept-Encoding", "gzip"));
        }
        if (random.nextInt(10) == 0) {
            headers.add(Map.entry("If-None-Match", pick(List.of("\"1\"", "\"2\"", "*"), random)));
        }
        if (random.nextInt(12) == 0) {
            headers.add(Map.entry("Range", "bytes=0-1"));
        }
        if (random.nextInt(12) == 0) {
            headers.add(Map.entry("Cache-Control", pick(List.of("no-cache", "no-store", "max-age=0"), random)));
        }
        boolean leaves = random.nextInt(20) == 0;
        Reading reading = make.isClient() ? pick(READINGS, random) : Reading.WHOLE;
        if (common != null && random.nextInt(4) != 0) {
            return new LabCall(common.method(), common.query(), common.headers(), leaves, reading);
        }
        return new LabCall(method, query, List.copyOf(headers), leaves, reading);
    }

    private static LabHandler handler(Random random, LabPolicy policy, boolean reactive) {
        List<Kind> kinds =
                Stream.of(Kind.values()).filter(kind -> kind.isFor(reactive)).toList();
        Kind drawn = random.nextInt(3) == 0 ? Kind.DIRECT : pick(kinds, random);
        Kind kind = ONLY_KIND.isEmpty() ? drawn : Kind.valueOf(ONLY_KIND);
        List<LabStep> steps = new ArrayList<>();
        boolean bytes = random.nextBoolean();
        int count = 1 + random.nextInt(7);
        for (int i = 0; i < count; i++) {
            steps.add(step(random, policy, bytes));
        }
        if (steps.stream().anyMatch(step -> step.what() == What.CLOSE || step.what() == What.CLOSE_WRITER)) {
            steps.removeIf(step -> step.what() == What.READ_BODY); // the client's next request may come meanwhile
        }
        if (kind.isOfSpringMvc()) {
            steps.removeIf(LabStep::declaresLength); // a stream that is shorter, or longer, never ends on Jetty
        }
        boolean asksForErrorPageLater = !reactive
                && !kind.isOfSpringMvc()
                && kind != Kind.DIRECT
                && steps.stream().anyMatch(step -> step.what() == What.SEND_ERROR);
        if (kind == Kind.EMITTER || kind == Kind.EVENTS || asksForErrorPageLater) {
            // Spring, or Undertow's error page, fails when the request waits already: two threads answer at once, or
            // nobody
            // does before the container's time-out
            steps.removeIf(LabStep::setsUnreadableType);
        }
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i)
                    .endsTheResponse()) { // each container treats in its own way what is written behind an error
                steps.subList(i + 1, steps.size()).clear();
            }
        }
        return new LabHandler(kind, steps);
    }

    /** What an origin does for clients; what comes behind a redirect, it does where the redirect leads to. */
    private static LabHandler origin(Random random, LabPolicy policy) {
        List<LabStep> steps = new ArrayList<>();
        int count = 1 + random.nextInt(7);
        for (int i = 0; i < count; i++) {
            steps.add(originStep(random, policy));
        }
        return new LabHandler(Kind.DIRECT, steps);
    }

    private static LabStep originStep(Random random, LabPolicy policy) {
        return switch (random.nextInt(22)) {
            case 0 -> new LabStep(What.STATUS, "", pick(STATUSES, random));
            case 1, 2 -> new LabStep(What.SET_HEADER, "Cache-Control", pick(CONTROLS, random));
            case 3 ->
                new LabStep(
                        What.ADD_HEADER,
                        "Vary",
                        pick(List.of("X-User", "Accept", "*", "accept-language, X-User"), random));
            case 4 -> new LabStep(What.CONTENT_TYPE, "", pick(TYPES, random));
            case 5 ->
                new LabStep(What.CHARSET, "", pick(List.of("UTF-8", "iso-8859-1", "UTF-16", "windows-1252"), random));
            case 6 -> new LabStep(What.LENGTH, "", pick(List.of("0", "1", "5", "100"), random));
            case 7, 8 -> new LabStep(What.FLUSH, "", "");
            case 9 -> new LabStep(What.CLOSE, "", "");
            case 10, 11 -> new LabStep(What.REDIRECT, pick(REDIRECTS, random), random.nextBoolean() ? "" : "localhost");
            case 12 -> new LabStep(What.THROW_CHECKED, "", "");
            case 13 -> new LabStep(What.COOKIE, "own", "1");
            case 14 -> new LabStep(What.VALIDATE, "", "\"1\"");
            case 15 -> new LabStep(What.ENCODE, "", "");
            case 16 ->
                new LabStep(
                        random.nextBoolean() ? What.SET_HEADER : What.ADD_HEADER,
                        pick(
                                List.of(
                                        "ETag",
                                        "Link",
                                        "X-Multi",
                                        "x-multi",
                                        "Expires",
                                        "Location",
                                        "Content-Language",
                                        "Allow",
                                        "WWW-Authenticate",
                                        "Warning"),
                                random),
                        pick(List.of("\"1\"", "1", "", "a, b", "ü", "Basic realm=x"), random));
            case 17 -> new LabStep(What.ADD_HEADER, "X-Own", "{method} " + own(random, policy));
            default -> new LabStep(What.WRITE_TEXT, "", "[" + own(random, policy) + pick(SIZES, random) + "ü]");
        };
    }

    private static LabStep step(Random random, LabPolicy policy, boolean bytes) {
        return switch (random.nextInt(28)) {
            case 0 -> new LabStep(What.STATUS, "", pick(STATUSES, random));
            case 1 -> new LabStep(What.SET_HEADER, "Cache-Control", pick(CONTROLS, random));
            case 2 ->
                new LabStep(
                        What.ADD_HEADER,
                        "Vary",
                        pick(List.of("X-User", "Accept", "*", "accept-language, X-User"), random));
            case 3 -> new LabStep(What.CONTENT_TYPE, "", pick(TYPES, random));
            case 4 -> new LabStep(What.SET_HEADER, "Content-Type", pick(TYPES, random));
            case 5 ->
                new LabStep(What.CHARSET, "", pick(List.of("UTF-8", "iso-8859-1", "UTF-16", "windows-1252"), random));
            case 6 -> new LabStep(What.LOCALE, "", pick(List.of("de", "fr-CA"), random));
            case 7 -> new LabStep(What.LENGTH, "", pick(List.of("0", "1", "5", "100"), random));
            case 8 -> new LabStep(What.BUFFER_SIZE, "", "1000");
            case 9 -> new LabStep(What.FLUSH, "", "");
            case 10 -> new LabStep(bytes ? What.FLUSH : What.FLUSH_BODY, "", "");
            case 11 -> new LabStep(bytes ? What.CLOSE : What.CLOSE_WRITER, "", "");
            case 12 -> new LabStep(random.nextBoolean() ? What.RESET : What.RESET_BUFFER, "", "");
            case 13 ->
                new LabStep(
                        What.REDIRECT,
                        "",
                        pick(List.of("/else", "http://other/{user}", "?x"), random)
                                .replace("{user}", own(random, policy)));
            case 14 -> new LabStep(What.SEND_ERROR, "", pick(List.of("400", "404", "410", "500", "503"), random));
            case 15 -> new LabStep(random.nextBoolean() ? What.THROW_CHECKED : What.THROW_UNCHECKED, "", "broken");
            case 16 -> new LabStep(What.COOKIE, "own", own(random, policy));
            case 17 -> random.nextInt(3) == 0 ? new LabStep(What.SESSION, "", "") : new LabStep(What.READ_BODY, "", "");
            case 18 -> new LabStep(What.VALIDATE, "", "\"1\"");
            case 19 -> new LabStep(What.ADD_HEADER, "X-Multi", own(random, policy));
            case 20 ->
                new LabStep(
                        What.SET_HEADER,
                        pick(
                                List.of(
                                        "ETag",
                                        "Link",
                                        "Retry-After",
                                        "X-Multi",
                                        "Expires",
                                        "Location",
                                        "Content-Language",
                                        "Allow"),
                                random),
                        pick(List.of("\"1\"", "1", "", "a, b", "ü"), random));
            case 21 -> new LabStep(What.ADD_HEADER, "X-Own", "{method} " + own(random, policy));
            default ->
                new LabStep(
                        (random.nextInt(8) == 0) != bytes ? What.WRITE_BYTES : What.WRITE_TEXT,
                        "",
                        "[" + own(random, policy) + pick(SIZES, random) + "ü]");
        };
    }

    /** Something that the request says, and that the policy counts. */
    private static String own(Random random, LabPolicy policy) {
        return "{" + pick(policy.usable(), random) + "}";
    }

    private static <T> T pick(List<T> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }

    /** The same with one part less, for each part. */
    Stream<LabSetup> smaller() {
        Stream<LabSetup> fewerCallers = without(callers, callers.size() > 1).map(this::withCallers);
        boolean rounds = callers.get(0).size() > 1;
        Stream<LabSetup> fewerRounds = rounds
                ? Stream.<UnaryOperator<List<LabCall>>>of(calls -> calls.subList(0, 1), calls -> calls.subList(1, 2))
                        .map(some -> withCallers(callers.stream().map(some).toList()))
                : Stream.of();
        Stream<LabSetup> fewerFilters = without(filters, true).map(some -> with(parks, some, handler, client));
        Stream<LabSetup> fewerBehind = without(behind, true).map(this::withBehind);
        Stream<LabSetup> fewerSteps = without(handler.steps(), true).map(this::withSteps);
        Stream<LabSetup> plainer = Stream.of(
                        with(false, filters, handler, client),
                        withOptions(join, false, remembers),
                        withOptions(join, smallLimit, false),
                        withOptions(JoinMode.IN_FLIGHT, smallLimit, remembers),
                        with(parks, filters, new LabHandler(Kind.DIRECT, handler.steps()), client),
                        withCallers(plainer(calls -> callers.get(0))),
                        withCallers(plainer(
                                calls -> calls.stream().map(LabSetup::plain).toList())),
                        withCallers(plainer(
                                calls -> calls.stream().map(LabSetup::wholly).toList())))
                .filter(other -> !other.equals(this));
        Stream<LabSetup> plainerClient = client.smaller().map(some -> with(parks, filters, handler, some));
        return Stream.of(fewerCallers, fewerRounds, fewerFilters, fewerBehind, fewerSteps, plainer, plainerClient)
                .flatMap(some -> some)
                .filter(some -> some.behind().isEmpty() || !some.handler().forgetsWrappers());
    }

    private List<List<LabCall>> plainer(UnaryOperator<List<LabCall>> change) {
        return callers.stream().map(change).toList();
    }

    private static LabCall plain(LabCall call) {
        return new LabCall("GET", "", List.of(Map.entry("X-User", "ann")), false, call.reading());
    }

    private static LabCall wholly(LabCall call) {
        return new LabCall(call.method(), call.query(), call.headers(), call.leaves(), Reading.WHOLE);
    }

    private LabSetup withCallers(List<List<LabCall>> some) {
        return new LabSetup(seed, policy, join, parks, smallLimit, remembers, filters, behind, handler, client, some);
    }

    private LabSetup withBehind(List<LabFilter> some) {
        return new LabSetup(seed, policy, join, parks, smallLimit, remembers, filters, some, handler, client, callers);
    }

    private LabSetup withSteps(List<LabStep> some) {
        return with(parks, filters, new LabHandler(handler.kind(), some), client);
    }

    private LabSetup with(boolean park, List<LabFilter> inFront, LabHandler other, LabClient newClient) {
        return new LabSetup(
                seed, policy, join, park, smallLimit, remembers, inFront, behind, other, newClient, callers);
    }

    private LabSetup withOptions(JoinMode newJoin, boolean small, boolean remember) {
        return new LabSetup(seed, policy, newJoin, parks, small, remember, filters, behind, handler, client, callers);
    }

    private static <T> Stream<List<T>> without(List<T> all, boolean mayShrink) {
        if (!mayShrink) {
            return Stream.of();
        }
        return Stream.iterate(0, i -> i < all.size(), i -> i + 1).map(i -> {
            List<T> some = new ArrayList<>(all);
            some.remove((int) i);
            return some;
        });
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(policy).append(", ").append(join).append(parks ? ", followers park" : "");
        text.append(smallLimit ? ", small limit" : "").append(remembers ? ", remembers" : "");
        if (!client.equals(LabClient.PLAIN)) {
            text.append("\n  ").append(client);
        }
        text.append("\n  filters ").append(filters);
        if (!behind.isEmpty()) {
            text.append("\n  behind ").append(behind);
        }
        text.append("\n  handler ").append(handler.kind());
        handler.steps().forEach(step -> text.append("\n    ").append(step));
        callers.forEach(calls -> text.append("\n  caller ").append(calls));
        return text.toString();
    }
}

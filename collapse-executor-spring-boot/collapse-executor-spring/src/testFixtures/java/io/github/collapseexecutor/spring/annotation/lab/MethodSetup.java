package io.github.collapseexecutor.spring.annotation.lab;

import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.spring.annotation.lab.MethodBackend.Sight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bean with an annotated method, and its callers. Everything follows from a seed, but for the order in which threads run.
 *
 * @param seed what it is made of
 * @param kind the annotation
 * @param shape how the bean is declared
 * @param wrapper how the method hands over its answer
 * @param content what the answer is
 * @param item the type of an item
 * @param items the type of the batch method's parameter
 * @param form what the batch method returns
 * @param quirk what is odd about the answers of the batch method
 * @param missingFails whether an item without an answer is a failure
 * @param join which executions a call joins
 * @param acrossUsers whether users share
 * @param keyed whether a key expression names the item only
 * @param sights what the method looks at
 * @param identity whether a bean says which tenant the caller has
 * @param aspects what else the method has, the outermost first
 * @param validatesFirst whether arguments are validated before everything else
 * @param batchInTransaction whether the batch method begins a transaction
 * @param classProxies whether proxies extend classes
 * @param inPool whether what is handed over later comes from another thread
 * @param entry what the Reactor context of each caller has
 * @param callers the calls of each caller, one after another
 */
record MethodSetup(
        long seed,
        Kind kind,
        Shape shape,
        Wrapper wrapper,
        Content content,
        Item item,
        String items,
        Form form,
        Quirk quirk,
        boolean missingFails,
        JoinMode join,
        boolean acrossUsers,
        boolean keyed,
        Set<Sight> sights,
        boolean identity,
        List<Aspect> aspects,
        boolean validatesFirst,
        boolean batchInTransaction,
        boolean classProxies,
        boolean inPool,
        Entry entry,
        List<List<MethodCall>> callers) {

    enum Kind {
        SHARED,
        BATCHED,
        MANY
    }

    enum Shape {
        CLASS,
        INTERFACE,
        IMPLEMENTATION,
        GENERIC_CLASS,
        GENERIC_INTERFACE,
        DEFAULT_METHOD;

        boolean hasInterface() {
            return this != CLASS && this != GENERIC_CLASS;
        }

        boolean isGeneric() {
            return this == GENERIC_CLASS || this == GENERIC_INTERFACE;
        }
    }

    enum Wrapper {
        PLAIN,
        OPTIONAL,
        FUTURE,
        STAGE,
        FUTURE_OPTIONAL,
        MONO,
        MONO_OPTIONAL;

        boolean isOptional() {
            return name().endsWith("OPTIONAL");
        }

        boolean isPlain() {
            return this == PLAIN || this == OPTIONAL;
        }

        boolean isMono() {
            return this == MONO || this == MONO_OPTIONAL;
        }
    }

    enum Content {
        TEXT,
        RECORD,
        LIST
    }

    enum Item {
        LONG,
        PRIMITIVE,
        TEXT,
        RECORD,
        ENUM,
        UUID
    }

    enum Form {
        MAP,
        KEYED_RESULT,
        IN_ORDER,
        BY_KEY,
        FLUX
    }

    enum Quirk {
        NONE,
        FEWER,
        NULLS,
        MORE,
        REORDERED,
        REPEATED
    }

    enum Entry {
        NONE,
        TEXT,
        OBJECT,
        DISCARD
    }

    enum Aspect {
        TRANSACTION,
        CACHE,
        ASYNC,
        SECURITY,
        GUARD,
        RETRY,
        VALIDATION
    }

    private static final List<String> FAILURES =
            List.of("runtime", "checked", "error", "cancelled", "timeout", "interrupted");

    /** Makes a set-up. */
    static MethodSetup of(long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        Kind kind =
                pick(List.of(Kind.SHARED, Kind.SHARED, Kind.BATCHED, Kind.BATCHED, Kind.BATCHED, Kind.MANY), random);
        Shape shape = pick(List.of(Shape.values()), random);
        Wrapper wrapper = kind == Kind.MANY
                ? pick(List.of(Wrapper.PLAIN, Wrapper.PLAIN, Wrapper.FUTURE, Wrapper.STAGE), random)
                : pick(List.of(Wrapper.values()), random);
        Form form = pick(formsOf(kind, wrapper), random);
        Content content =
                form == Form.BY_KEY || form == Form.FLUX ? Content.RECORD : pick(List.of(Content.values()), random);
        Item item = pick(List.of(Item.values()), random);
        if (item == Item.PRIMITIVE && (shape.isGeneric() || kind == Kind.MANY)) {
            item = Item.LONG;
        }
        List<Aspect> aspects = aspects(random, wrapper);
        boolean identity = random.nextInt(3) == 0;
        boolean acrossUsers = random.nextInt(4) == 0;
        boolean missingFails = kind == Kind.BATCHED && random.nextInt(5) == 0;
        boolean keyed = kind == Kind.SHARED && random.nextInt(3) == 0;
        boolean batchInTransaction = kind != Kind.SHARED && !wrapper.isMono() && random.nextInt(3) == 0;
        Set<Sight> sights = sights(random, aspects, acrossUsers, identity);
        if (kind != Kind.SHARED && aspects.contains(Aspect.ASYNC)) {
            sights.clear(); // the batch method runs on the thread of a caller
        }
        if (kind != Kind.SHARED && batchInTransaction != aspects.contains(Aspect.TRANSACTION)) {
            sights.remove(Sight.TRANSACTION); // the batch method has a transaction of its own, or none
        }
        return new MethodSetup(
                seed,
                kind,
                shape,
                wrapper,
                content,
                item,
                pick(List.of("Collection", "List", "Set", "Iterable"), random),
                form,
                pick(quirksOf(form), random),
                missingFails,
                random.nextInt(4) == 0 ? JoinMode.IN_FLIGHT : JoinMode.FRESH,
                acrossUsers,
                keyed,
                sights,
                identity,
                aspects,
                random.nextBoolean(),
                batchInTransaction,
                random.nextBoolean(),
                random.nextBoolean(),
                pick(List.of(Entry.values()), random),
                callers(random, keyed, failures(aspects, batchInTransaction, wrapper)));
    }

    private static List<Form> formsOf(Kind kind, Wrapper wrapper) {
        List<Form> forms = new ArrayList<>(List.of(Form.MAP, Form.KEYED_RESULT, Form.IN_ORDER, Form.BY_KEY));
        if (kind == Kind.SHARED) {
            return List.of(Form.MAP);
        }
        if (wrapper.isMono()) {
            forms.add(Form.FLUX);
        }
        return forms;
    }

    private static List<Quirk> quirksOf(Form form) {
        return switch (form) {
            case MAP, KEYED_RESULT -> List.of(Quirk.NONE, Quirk.FEWER, Quirk.NULLS, Quirk.MORE, Quirk.REORDERED);
            case IN_ORDER -> List.of(Quirk.NULLS);
            case BY_KEY -> List.of(Quirk.FEWER, Quirk.NULLS, Quirk.MORE, Quirk.REORDERED, Quirk.REPEATED);
            case FLUX -> List.of(Quirk.FEWER, Quirk.MORE, Quirk.REORDERED, Quirk.REPEATED);
        };
    }

    private static List<Aspect> aspects(Random random, Wrapper wrapper) {
        List<Aspect> aspects = new ArrayList<>();
        for (Aspect aspect : Aspect.values()) {
            boolean possible = switch (aspect) {
                case ASYNC -> wrapper == Wrapper.FUTURE || wrapper == Wrapper.FUTURE_OPTIONAL;
                case RETRY -> wrapper.isPlain();
                default -> true;
            };
            if (possible && random.nextInt(3) == 0) {
                aspects.add(aspect);
            }
        }
        Collections.shuffle(aspects, random);
        if (aspects.remove(
                Aspect.CACHE)) { // which would give one user what another may see, if it stood in front of security
            int passed = Math.max(aspects.indexOf(Aspect.SECURITY), aspects.indexOf(Aspect.GUARD));
            aspects.add(passed + 1 + random.nextInt(aspects.size() - passed), Aspect.CACHE);
        }
        return aspects;
    }

    /** A cache knows nothing of callers, so that its method looks at none. */
    private static Set<Sight> sights(Random random, List<Aspect> aspects, boolean acrossUsers, boolean identity) {
        Set<Sight> sights = EnumSet.noneOf(Sight.class);
        for (Sight sight : Sight.values()) {
            boolean possible = switch (sight) {
                case USER -> !acrossUsers;
                case TENANT -> identity;
                case SCOPED -> !identity && random.nextInt(3) == 0;
                default -> true;
            };
            if (possible && random.nextInt(2) == 0 && !aspects.contains(Aspect.CACHE)) {
                sights.add(sight);
            }
        }
        return sights;
    }

    /** Spring leaves a transaction on the thread where a method with {@code @Transactional} returns a future that was cancelled. */
    private static List<String> failures(List<Aspect> aspects, boolean batchInTransaction, Wrapper wrapper) {
        boolean left = !wrapper.isPlain() && (batchInTransaction || aspects.contains(Aspect.TRANSACTION));
        return left
                ? FAILURES.stream().filter(kind -> !kind.equals("cancelled")).toList()
                : FAILURES;
    }

    private static List<List<MethodCall>> callers(Random random, boolean keyed, List<String> failures) {
        List<@Nullable String> others = new ArrayList<>(Arrays.asList("x", "x", "x", "y", null));
        if (!keyed) {
            others.add(pick(failures, random));
        }
        boolean manyUsers = random.nextBoolean();
        boolean manyLocales = random.nextInt(3) == 0;
        boolean transactions = random.nextInt(3) == 0;
        List<List<MethodCall>> callers = new ArrayList<>();
        for (int caller = 4 + random.nextInt(5); caller > 0; caller--) {
            List<MethodCall> calls = new ArrayList<>();
            for (int call = 0; call < 3; call++) {
                calls.add(new MethodCall(
                        manyUsers ? pick(Arrays.asList("ann", "ann", "bob", "eve", null), random) : "ann",
                        manyLocales ? pick(Arrays.asList("de", "fr", null), random) : "de",
                        manyLocales ? pick(Arrays.asList("UTC", "Asia/Tokyo", null), random) : null,
                        manyUsers ? pick(List.of("north", "south"), random) : "north",
                        transactions && random.nextInt(4) == 0,
                        1 + random.nextInt(4),
                        pick(others, random)));
            }
            callers.add(calls);
        }
        return callers;
    }

    private static <T extends @Nullable Object> T pick(List<T> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    boolean has(Aspect aspect) {
        return aspects.contains(aspect);
    }

    /** Whether the first attempt of an execution fails; only where all attempts are part of it. */
    boolean isUnreliable() {
        int retry = aspects.indexOf(Aspect.RETRY);
        return retry > Math.max(aspects.indexOf(Aspect.SECURITY), aspects.indexOf(Aspect.GUARD))
                && !(has(Aspect.VALIDATION) && !validatesFirst)
                && form != Form.KEYED_RESULT; // which repeats failures that are the method's own
    }

    /** Whether the start has to refuse it: each call would be inside of a transaction before its caller has passed what it must. */
    boolean isRefused() {
        int transaction = aspects.indexOf(Aspect.TRANSACTION);
        if (transaction < 0) {
            return false;
        }
        boolean passedInside = transaction < Math.max(aspects.indexOf(Aspect.SECURITY), aspects.indexOf(Aspect.GUARD));
        return passedInside || (has(Aspect.VALIDATION) && !validatesFirst);
    }
}

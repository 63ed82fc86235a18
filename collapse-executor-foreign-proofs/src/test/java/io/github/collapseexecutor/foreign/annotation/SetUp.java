package io.github.collapseexecutor.foreign.annotation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A bean with an annotated method, drawn from a seed.
 *
 * @param shape how the bean is declared
 * @param layers what else stands on the method
 * @param usualOrder whether libraries have the order that they bring; else that of the list
 * @param sights what the method looks at
 * @param propagation of the transaction
 * @param flag chooses details of layers
 * @param persistence whether transactions are those of JPA
 * @param classProxies whether proxies extend classes
 * @param validatesFirst whether arguments are validated before transactions begin
 * @param attributes of the annotation of this library
 * @param batched whether items are gathered for another method
 */
record SetUp(
        long seed,
        Shape shape,
        Returned returned,
        Argument other,
        List<Layer> layers,
        boolean usualOrder,
        Set<Sight> sights,
        String propagation,
        boolean flag,
        boolean fallback,
        String cache,
        boolean persistence,
        boolean classProxies,
        boolean validatesFirst,
        String attributes,
        boolean batched) {

    /** How the bean is declared. */
    enum Shape {
        CLASS,
        INTERFACE,
        GENERIC,
        LAZY,
        PRIMARY,
        PROTOTYPE,
        REQUEST,
        SESSION,
        PROXIED_AGAIN,
        PACKAGE_PRIVATE,
        /** The start refuses it. */
        FINAL
    }

    /** What the method looks at. */
    enum Sight {
        USER,
        LOCALE,
        TRANSACTION,
        SCOPED,
        DATABASE
    }

    private static final List<String> PROPAGATIONS = List.of(
            "REQUIRED",
            "REQUIRED",
            "REQUIRED",
            "REQUIRES_NEW",
            "SUPPORTS",
            "NOT_SUPPORTED",
            "MANDATORY",
            "NEVER",
            "NESTED");

    static SetUp of(long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        Shape shape =
                random.nextInt(3) == 0 ? pick(random, Shape.values()) : pick(random, Shape.CLASS, Shape.INTERFACE);
        Returned returned = random.nextInt(30) == 0
                ? pick(random, Returned.values())
                : pick(
                        random,
                        Arrays.stream(Returned.values())
                                .filter(type -> !type.isRefused())
                                .toArray(Returned[]::new));
        Argument other = random.nextInt(30) == 0
                ? pick(random, Argument.values())
                : pick(
                        random,
                        Arrays.stream(Argument.values())
                                .filter(type -> !type.isRefused())
                                .toArray(Argument[]::new));
        boolean batched = random.nextInt(4) == 0 && returned == Returned.TEXT;
        List<Layer> layers = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            Layer layer = pick(random, Layer.values());
            boolean again = layers.stream().anyMatch(drawn -> drawn == layer || (drawn.isCache() && layer.isCache()));
            if (!again && layer.takes(returned, other)) {
                layers.add(layer);
            }
        }
        boolean usualOrder = random.nextInt(3) > 0;
        if (!usualOrder && layers.stream().anyMatch(Layer::isCache)) {
            layers.removeIf(Layer::isSecurity); // a cache before it gives one user what another may see
        }
        Collections.shuffle(layers, random);
        boolean acrossUsers = random.nextInt(5) == 0;
        Set<Sight> sights = EnumSet.noneOf(Sight.class);
        for (Sight sight : Sight.values()) {
            boolean cached = layers.stream().anyMatch(Layer::isCache);
            boolean possible = switch (sight) {
                case USER -> !acrossUsers && !cached && !returned.isMono(); // whose user is that of the subscriber
                case SCOPED -> !cached && !returned.isMono() && random.nextInt(3) == 0;
                case LOCALE -> !cached;
                case TRANSACTION -> !cached && !batched; // a batch has its own
                case DATABASE -> true;
            };
            if (possible && random.nextInt(2) == 0) {
                sights.add(sight);
            }
        }
        return new SetUp(
                seed,
                shape,
                returned,
                other,
                layers,
                usualOrder,
                sights,
                pick(random, PROPAGATIONS.toArray(String[]::new)),
                random.nextBoolean(),
                random.nextInt(3) == 0 && other != Argument.ARRAY_AS_OBJECT,
                pick(random, "simple", "caffeine", "jcache"),
                returned.isEntity() || random.nextInt(4) == 0,
                random.nextBoolean(),
                random.nextBoolean(),
                (acrossUsers ? "acrossUsers = true" : "acrossUsers = false")
                        + (!batched && random.nextInt(4) == 0 ? ", join = JoinMode.IN_FLIGHT" : ""),
                batched);
    }

    @SafeVarargs
    private static <T> T pick(Random random, T... all) {
        return all[random.nextInt(all.length)];
    }

    boolean has(Layer layer) {
        return layers.contains(layer);
    }

    boolean hasCache() {
        return layers.stream().anyMatch(Layer::isCache);
    }

    boolean looksAt(Sight sight) {
        return sights.contains(sight);
    }

    /** Whether a caller must find in the database what it has written before, inside its transaction or outside of any. */
    boolean isFresh(boolean inTransaction) {
        boolean elsewhere = has(Layer.ASYNC)
                || (has(Layer.TRANSACTION)
                        && !Arrays.asList("REQUIRED", "SUPPORTS", "MANDATORY", "NESTED")
                                .contains(propagation));
        return looksAt(Sight.DATABASE)
                && !hasCache()
                && !attributes.contains("IN_FLIGHT")
                && !(inTransaction && elsewhere);
    }

    int order(Layer layer) {
        return 1_000 + 100 * layers.indexOf(layer);
    }
}

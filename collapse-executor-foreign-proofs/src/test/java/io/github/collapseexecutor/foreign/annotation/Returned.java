package io.github.collapseexecutor.foreign.annotation;

/** What a method returns: its type, and how that is made of a text. */
enum Returned {
    TEXT("String", "text"),
    RECORD("Answer", "new Answer(text)"),
    OPTIONAL("Optional<String>", "Optional.of(text)"),
    LIST("List<String>", "new ArrayList<>(List.of(text, \"end\"))"),
    MAP("Map<String, String>", "new LinkedHashMap<>(Map.of(\"text\", text))"),
    RESPONSE("ResponseEntity<String>", "ResponseEntity.status(203).header(\"kind\", \"foreign\").body(text)"),
    PRIMITIVE("int", "text.replaceAll(\"@.*\", \"\").length()"),
    OBJECT("Object", "text"),
    ENTITY("Item", "backend.item(text)"),
    ENTITIES("List<Item>", "List.of(backend.item(text))"),
    FUTURE("CompletableFuture<String>", "CompletableFuture.completedFuture(text)"),
    LATER("CompletableFuture<String>", "CompletableFuture.supplyAsync(() -> text)"),
    STAGE("CompletionStage<Answer>", "CompletableFuture.completedFuture(new Answer(text))"),
    MONO("Mono<String>", "Mono.just(text)"),
    MONO_LATER("Mono<String>", "Mono.just(text).publishOn(reactor.core.scheduler.Schedulers.parallel())"),
    /** The start refuses the rest. */
    NOTHING("void", ""),
    FLUX("Flux<String>", "Flux.just(text)"),
    STREAM("java.util.stream.Stream<String>", "java.util.stream.Stream.of(text)"),
    PLAIN_FUTURE("Future<String>", "CompletableFuture.completedFuture(text)");

    final String type;
    final String made;

    Returned(String type, String made) {
        this.type = type;
        this.made = made;
    }

    boolean isRefused() {
        return this == NOTHING || this == FLUX || this == STREAM || this == PLAIN_FUTURE;
    }

    boolean isFuture() {
        return this == FUTURE || this == LATER || this == STAGE;
    }

    boolean isMono() {
        return this == MONO || this == MONO_LATER;
    }

    boolean isEntity() {
        return this == ENTITY || this == ENTITIES;
    }

    /** Whether null may be returned in place of it. */
    boolean mayBeNull() {
        return !isFuture() && !isMono() && this != PRIMITIVE && this != OPTIONAL;
    }
}

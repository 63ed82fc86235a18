package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bulk calls that return items, in any order, which know their keys. */
class ItemFunctionTests {

    private final List<Collection<String>> asked = new ArrayList<>();

    private static String key(String item) {
        return item.substring(0, 1).toLowerCase(Locale.ROOT);
    }

    /** What comes of keys that are asked for together, where the function returns the given items. */
    private List<String> shown(Kind kind, MissingKeyPolicy missing, Collection<String> items, String... keys)
            throws Exception {
        BatchFunction<Collection<String>, Collection<String>> function = batch -> {
            asked.add(new ArrayList<>(batch));
            return items;
        };
        CollapseOptions options = CollapseOptions.defaults();
        List<String> inputs = Arrays.asList(keys);
        BulkCall call = switch (kind) {
            case BLOCKING ->
                new BulkCall.OnThread(
                        () -> CollapseExecutors.blockingByItem(function, ItemFunctionTests::key, missing, options)
                                .executeEach(inputs));
            case ASYNC ->
                new BulkCall.OfFutures(
                        CollapseExecutors.asyncByItem(function, ItemFunctionTests::key, missing, options, Runnable::run)
                                .executeEach(inputs));
            case FUTURE ->
                new BulkCall.OfFutures(CollapseExecutors.<String, String>futureByItem(
                                batch -> CompletableFuture.completedFuture(function.apply(batch)),
                                ItemFunctionTests::key,
                                missing,
                                options)
                        .executeEach(inputs));
        };
        return call.shown();
    }

    @ParameterizedTest
    @EnumSource
    void itemsFindTheirCallersInAnyOrder(Kind kind) throws Exception {
        List<String> items = Arrays.asList("Cid", null, "Zoe", "Ann", "Bob");
        assertThat(shown(kind, MissingKeyPolicy.NULL, items, "a", "b", "a", "c"))
                .containsExactly("Ann", "Bob", "Ann", "Cid");
        assertThat(asked).containsExactly(List.of("a", "b", "c"));
    }

    @ParameterizedTest
    @EnumSource
    void aKeyWithoutAnItemHasTheAnswerOfThePolicy(Kind kind) throws Exception {
        assertThat(shown(kind, MissingKeyPolicy.NULL, List.of("Ann"), "a", "b")).containsExactly("Ann", null);
        assertThat(shown(kind, MissingKeyPolicy.FAILURE, List.of("Ann"), "a", "b"))
                .containsExactly("Ann", "UnboundOutputException");
    }

    @ParameterizedTest
    @EnumSource
    void P02_twoItemsOfOneKeyFailTheCallersOfThatKeyAlone(Kind kind) throws Exception {
        assertThat(shown(kind, MissingKeyPolicy.NULL, List.of("Ann", "Bob", "Anton"), "a", "b", "a"))
                .containsExactly("UnboundOutputException", "Bob", "UnboundOutputException");
    }

    @ParameterizedTest
    @EnumSource
    void nullInPlaceOfTheItemsFailsAll(Kind kind) throws Exception {
        assertThat(shown(kind, MissingKeyPolicy.NULL, null, "a", "b"))
                .containsExactly("UnboundOutputException", "UnboundOutputException");
    }

    @ParameterizedTest
    @EnumSource
    void aFailingKeyOfAnItemFailsAll(Kind kind) throws Exception {
        assertThat(shown(kind, MissingKeyPolicy.NULL, List.of("Ann", ""), "a", "b"))
                .containsExactly("StringIndexOutOfBoundsException", "StringIndexOutOfBoundsException");
    }
}

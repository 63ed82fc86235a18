package io.github.collapseexecutor.spring.annotation;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** A method that cannot be answered from a batch method stops the start, with the method, the reason and the remedy. */
@SuppressWarnings("unused")
class RefusedBatchMethodsTests {

    static class Batches {
        public List<String> list(List<Long> ids) {
            return List.of();
        }

        public Map<Long, String> map(Collection<Long> ids) {
            return Map.of();
        }

        public Map<Long, Integer> numbers(Collection<Long> ids) {
            return Map.of();
        }

        public Map<String, String> texts(Collection<Long> ids) {
            return Map.of();
        }

        public Set<String> set(Collection<Long> ids) {
            return Set.of();
        }

        public String one(Collection<Long> ids) {
            return "";
        }

        public Map<Long, String> ofTexts(Collection<String> ids) {
            return Map.of();
        }

        public Map<Long, String> wider(Collection<Long> ids, String more) {
            return Map.of();
        }

        public Map<Long, String> twice(List<Long> ids) {
            return Map.of();
        }

        public Map<Long, String> twice(Set<Long> ids) {
            return Map.of();
        }

        private Map<Long, String> hidden(Set<Long> ids) {
            return Map.of();
        }

        public Mono<Map<Long, String>> later(Collection<Long> ids) {
            return Mono.empty();
        }
    }

    static class Both extends Batches {
        @Collapsible
        @CollapseBatch(method = "list", inOrder = true)
        public String find(Long id) {
            return "";
        }
    }

    static class NoBatchMethod extends Batches {
        @CollapseBatch(method = "findAll")
        public String find(Long id) {
            return "";
        }
    }

    static class OtherItems extends Batches {
        @CollapseBatch(method = "ofTexts")
        public String find(Long id) {
            return "";
        }
    }

    static class MoreParameters extends Batches {
        @CollapseBatch(method = "wider")
        public String find(Long id) {
            return "";
        }
    }

    static class TwoThatFit extends Batches {
        @CollapseBatch(method = "twice")
        public String find(Long id) {
            return "";
        }
    }

    static class HiddenBatch extends Batches {
        @CollapseBatch(method = "hidden")
        public String find(Long id) {
            return "";
        }
    }

    static class NoOrder extends Batches {
        @CollapseBatch(method = "list")
        public String find(Long id) {
            return "";
        }
    }

    static class OrderOfASet extends Batches {
        @CollapseBatch(method = "set", inOrder = true)
        public String find(Long id) {
            return "";
        }
    }

    static class KeyOfAMap extends Batches {
        @CollapseBatch(method = "map", itemKey = "id")
        public String find(Long id) {
            return "";
        }
    }

    static class KeyAndOrder extends Batches {
        @CollapseBatch(method = "list", itemKey = "id", inOrder = true)
        public String find(Long id) {
            return "";
        }
    }

    static class BadItemKey extends Batches {
        @CollapseBatch(method = "list", itemKey = "id.")
        public String find(Long id) {
            return "";
        }
    }

    static class OneAnswer extends Batches {
        @CollapseBatch(method = "one")
        public String find(Long id) {
            return "";
        }
    }

    static class OtherValues extends Batches {
        @CollapseBatch(method = "numbers")
        public String find(Long id) {
            return "";
        }
    }

    static class OtherKeys extends Batches {
        @CollapseBatch(method = "texts")
        public String find(Long id) {
            return "";
        }
    }

    static class Later extends Batches {
        @CollapseBatch(method = "later")
        public String find(Long id) {
            return "";
        }
    }

    static class APrimitive {
        @CollapseBatch(method = "sizes")
        public long size(Long id) {
            return 0;
        }

        public Map<Long, Long> sizes(Collection<Long> ids) {
            return Map.of();
        }
    }

    static class NegativeSize extends Batches {
        @CollapseBatch(method = "map", maxBatchSize = -1)
        public String find(Long id) {
            return "";
        }
    }

    static class ManyByMono extends Batches {
        @CollapseBatch(method = "later")
        public Mono<Map<Long, String>> page(List<Long> ids) {
            return Mono.empty();
        }
    }

    static class ManyAsOne extends Batches {
        @CollapseBatch(method = "map")
        public String page(List<Long> ids) {
            return "";
        }
    }

    static class OtherAnswersOfMany extends Batches {
        @CollapseBatch(method = "map")
        public Map<Long, Integer> page(List<Long> ids) {
            return Map.of();
        }
    }

    static class TwoMayBeItems {
        @CollapseBatch(method = "all")
        public Map<Long, String> page(List<String> fields, List<Long> ids) {
            return Map.of();
        }

        public Map<Long, String> all(List<String> fields, Collection<Long> ids) {
            return Map.of();
        }
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(Both.class, "@Collapsible and @CollapseBatch", "Remove one"),
                Arguments.of(NoBatchMethod.class, "no other method of this name", "Name a method"),
                Arguments.of(OtherItems.class, "ofTexts(Collection)", "Name a method"),
                Arguments.of(MoreParameters.class, "wider(Collection, String)", "Name a method"),
                Arguments.of(TwoThatFit.class, "names 2 methods that fit", "a name of its own"),
                Arguments.of(HiddenBatch.class, "hidden is private", "public method"),
                Arguments.of(NoOrder.class, "which answer of the batch method's List", "inOrder = true"),
                Arguments.of(OrderOfASet.class, "a Set has no order", "itemKey"),
                Arguments.of(KeyOfAMap.class, "returns a Map", "Remove itemKey"),
                Arguments.of(KeyAndOrder.class, "both itemKey and inOrder", "Remove one"),
                Arguments.of(BadItemKey.class, "itemKey = \"id.\" does not parse", "Correct the expression"),
                Arguments.of(OneAnswer.class, "holds no answers", "Return a Map"),
                Arguments.of(OtherValues.class, "java.lang.Integer is no java.lang.String", "the same types"),
                Arguments.of(OtherKeys.class, "java.lang.Long is no java.lang.String", "the same types"),
                Arguments.of(Later.class, "in another way", "Let both return"),
                Arguments.of(APrimitive.class, "returns a primitive", "boxed type"),
                Arguments.of(ManyByMono.class, "returns them by a Mono", "CompletableFuture"),
                Arguments.of(ManyAsOne.class, "holds no answers of single ones", "Return a Map"),
                Arguments.of(OtherAnswersOfMany.class, "java.lang.String is no java.lang.Integer", "the same types"),
                Arguments.of(TwoMayBeItems.class, "all(List, Collection)", "Name a method"),
                Arguments.of(NegativeSize.class, "maxBatchSize = -1", "at least 1"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void startFails(Class<?> bean, String reason, String remedy) {
        Refusals.assertRefused(bean, reason, remedy);
    }
}

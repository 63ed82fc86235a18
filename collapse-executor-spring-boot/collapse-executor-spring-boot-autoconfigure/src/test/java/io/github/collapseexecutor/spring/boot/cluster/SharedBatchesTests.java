package io.github.collapseexecutor.spring.boot.cluster;

import static io.github.collapseexecutor.spring.boot.cluster.ClusterConfigurationFixture.awaitOneWaiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ClusterCounts;
import io.github.collapseexecutor.cluster.ClusterRedis;
import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.core.Authentication;

/** Methods for single items of two applications that share nothing but a Redis. */
class SharedBatchesTests extends SharedBatchesFixture {

    /** The first calls for an item, and the second waits for that call. */
    private List<Future<Object>> oneWaitsForTheOther(
            String item,
            @Nullable Authentication firstUser,
            AskingForItem firstAsks,
            @Nullable Authentication secondUser,
            AskingForItem secondAsks) {
        ConfigurableApplicationContext first = start();
        ConfigurableApplicationContext second = start();
        store.hold(item);
        Future<Object> led = askFor(first, firstUser, firstAsks);
        await().until(() -> store.asked.size() == 1);
        Future<Object> waiting = askFor(second, secondUser, secondAsks);
        awaitOneWaiter(second);
        return List.of(led, waiting);
    }

    private ClusterCounts countsOfTheSecond() {
        return contexts.get(1).getBean(ClusterCalls.class).counts();
    }

    /** What both get by the call of the first. */
    private List<Object> sharedItem(
            String item,
            @Nullable Authentication firstUser,
            AskingForItem firstAsks,
            @Nullable Authentication secondUser,
            AskingForItem secondAsks)
            throws Exception {
        List<Future<Object>> both = oneWaitsForTheOther(item, firstUser, firstAsks, secondUser, secondAsks);
        store.release(item);
        List<Object> answers = got(both);
        assertThat(store.asked).containsExactly(List.of(item));
        assertThat(countsOfTheSecond().taken()).isEqualTo(1);
        return answers;
    }

    /** Each makes its call, while that of the other is under way. */
    private List<Object> apart(
            @Nullable Authentication firstUser,
            AskingForItem firstAsks,
            @Nullable Authentication secondUser,
            AskingForItem secondAsks)
            throws Exception {
        ConfigurableApplicationContext first = start();
        ConfigurableApplicationContext second = start();
        store.hold("tea");
        Future<Object> one = askFor(first, firstUser, firstAsks);
        await().until(() -> store.asked.size() == 1);
        Future<Object> two = askFor(second, secondUser, secondAsks);
        await().until(() -> store.asked.size() == 2);
        store.release("tea");
        return got(List.of(one, two));
    }

    @Nested
    class Sharing {

        @ParameterizedTest
        @EnumSource(ItemWay.class)
        void anItemOfOneUserOnTwoInstances(ItemWay way) throws Exception {
            assertThat(sharedItem("tea", ann("READ"), way, ann("READ"), way)).containsOnly("tea of ann[READ], call 1");
        }

        @ParameterizedTest
        @EnumSource(ItemWay.class)
        void anItemOfNobody(ItemWay way) throws Exception {
            assertThat(sharedItem("tea", null, way, null, way)).containsOnly("tea of nobody, call 1");
        }

        @Test
        void ofTwoUsersIfTheAnnotationSaysSo() throws Exception {
            AskingForItem asking = catalogue -> catalogue.acrossItem("tea");
            assertThat(sharedItem("tea", ann("READ"), asking, null, asking)).containsOnly("tea of ann[READ], call 1");
        }

        @Test
        void ofAnOptional() throws Exception {
            AskingForItem asking = catalogue -> catalogue.optionalItem("tea");
            assertThat(sharedItem("tea", null, asking, null, asking))
                    .containsOnly(Optional.of("tea of nobody, call 1"));
        }

        @Test
        void ofAnItemThatIsNotThere() throws Exception {
            AskingForItem asking = catalogue -> catalogue.optionalItem("no tea");
            assertThat(sharedItem("no tea", null, asking, null, asking)).containsOnly(Optional.empty());
        }

        @Test
        void byACodecOfTheTypeOfTheAnswer() throws Exception {
            AskingForItem asking = catalogue -> catalogue.quoteItem("tea");
            assertThat(sharedItem("tea", null, asking, null, asking)).containsOnly(new Quote("tea of nobody, call 1"));
        }

        @Test
        void withEqualOtherArguments() throws Exception {
            AskingForItem asking = catalogue -> catalogue.itemIn("tea", new Region(1, "north"), List.of("green"));
            assertThat(sharedItem("tea", null, asking, null, asking))
                    .containsOnly("tea of nobody, call 1 in north[green]");
        }

        @Test
        void anItemThatIsUnderWayElsewhereJoinsAndTheOthersMakeOneCall() throws Exception {
            ConfigurableApplicationContext first = start();
            ConfigurableApplicationContext second = start();
            store.hold("milk");
            store.hold("tea");
            Future<Object> earlier = askFor(second, null, catalogue -> catalogue.item("milk"));
            await().until(() -> store.asked.size() == 1);
            Future<Object> led = askFor(first, null, catalogue -> catalogue.item("tea"));
            await().until(() -> store.asked.size() == 2);
            List<Future<Object>> batch = new ArrayList<>();
            for (String item : List.of("tea", "sugar", "cups")) {
                batch.add(gathers(second, catalogue -> catalogue.item(item)));
            }
            store.release("milk");
            await().until(() -> store.asked.size() == 3);
            assertThat(store.asked.get(2)).containsExactlyInAnyOrder("sugar", "cups");
            store.release("tea");
            assertThat(got(batch))
                    .containsExactly("tea of nobody, call 2", "sugar of nobody, call 3", "cups of nobody, call 3");
            assertThat(got(List.of(earlier, led))).containsExactly("milk of nobody, call 1", "tea of nobody, call 2");
            assertThat(store.asked).hasSize(3);
        }
    }

    /** Has one more caller wait for the batch that gathers behind the one in flight. */
    private Future<Object> gathers(ConfigurableApplicationContext context, AskingForItem asking) {
        int before = gathering(context);
        Future<Object> answer = askFor(context, null, asking);
        await().until(() -> gathering(context) > before);
        return answer;
    }

    private static int gathering(ConfigurableApplicationContext context) {
        return context.getBean(CollapsingControl.class).counts("items").stream()
                .mapToInt(CollapseCounts::callers)
                .sum();
    }

    @Nested
    class KeptApart {

        @ParameterizedTest
        @EnumSource(ItemWay.class)
        void usersOfOneNameWithOtherRights(ItemWay way) throws Exception {
            assertThat(apart(ann("READ"), way, ann("READ", "WRITE"), way))
                    .containsExactly("tea of ann[READ], call 1", "tea of ann[READ, WRITE], call 2");
        }

        @Test
        void otherArgumentsBesideTheItem() throws Exception {
            Region region = new Region(1, "north");
            assertThat(apart(
                            null,
                            catalogue -> catalogue.itemIn("tea", region, List.of("green")),
                            null,
                            catalogue -> catalogue.itemIn("tea", region, List.of("black"))))
                    .containsExactly("tea of nobody, call 1 in north[green]", "tea of nobody, call 2 in north[black]");
        }

        /** Equal arguments share on one instance; another one may have an answer for the other name. */
        @Test
        void equalArgumentsWithOtherTexts() throws Exception {
            assertThat(apart(
                            null,
                            catalogue -> catalogue.itemIn("tea", new Region(1, "north"), List.of()),
                            null,
                            catalogue -> catalogue.itemIn("tea", new Region(1, "south"), List.of())))
                    .containsExactly("tea of nobody, call 1 in north[]", "tea of nobody, call 2 in south[]");
        }

        @Test
        void methodsThatDoNotSayIt() throws Exception {
            AskingForItem asking = catalogue -> catalogue.notShared("tea");
            assertThat(apart(null, asking, null, asking)).doesNotHaveDuplicates();
        }

        @Test
        void itemsOfAMethodThatJoinsNoneInFlight() throws Exception {
            AskingForItem asking = catalogue -> catalogue.freshItem("tea");
            assertThat(apart(null, asking, null, asking))
                    .containsExactly("tea of nobody, call 1", "tea of nobody, call 2");
        }

        @Test
        void otherMethodsOfOneExecutor() throws Exception {
            assertThat(apart(
                            null,
                            catalogue -> catalogue.item("tea"),
                            null,
                            catalogue -> catalogue.itemIn("tea", new Region(1, "north"), List.of())))
                    .doesNotHaveDuplicates();
        }
    }

    /** The batch method is given the arguments of one caller, whose text would stand for the answers to the others. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aBatchWhoseEqualArgumentsHaveSeveralTextsIsNotSharedAndOneWarningSaysSo(CapturedOutput output)
            throws Exception {
        ConfigurableApplicationContext context = start();
        store.hold("milk");
        Future<Object> earlier = askFor(context, null, catalogue -> inNorth(catalogue, "milk"));
        await().until(() -> store.asked.size() == 1);
        List<Future<Object>> batch = new ArrayList<>();
        batch.add(gathers(context, catalogue -> inNorth(catalogue, "tea")));
        batch.add(gathers(context, catalogue -> catalogue.itemIn("cups", new Region(1, "south"), List.of())));
        long led = context.getBean(ClusterCalls.class).counts().led();
        store.release("milk");
        assertThat(got(batch)).containsExactly("tea of nobody, call 2 in north[]", "cups of nobody, call 2 in north[]");
        assertThat(got(earlier)).isEqualTo("milk of nobody, call 1 in north[]");
        assertThat(context.getBean(ClusterCalls.class).counts().led()).isEqualTo(led);
        assertThat(output.getAll()).containsOnlyOnce("are equal for callers, and have several texts");
    }

    /** A client may send such a text with every request. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void textsThatHaveNoBytesAreNotSharedAndOneWarningSaysSo(CapturedOutput output) throws Exception {
        ConfigurableApplicationContext context = start();
        for (int call = 1; call <= 3; call++) {
            assertThat(got(askFor(context, null, catalogue -> catalogue.item("\ud800"))))
                    .isEqualTo("\ud800 of nobody, call " + call);
        }
        assertThat(context.getBean(ClusterCalls.class).counts().led()).isZero();
        assertThat(output.getAll()).containsOnlyOnce("does not share");
    }

    private static Object inNorth(Catalogue catalogue, String item) {
        return catalogue.itemIn(item, new Region(1, "north"), List.of());
    }

    @Nested
    class Failing {

        @Test
        void everyInstanceMakesACallForAnItemThatFails() {
            AskingForItem asking = catalogue -> catalogue.failing("tea");
            List<Future<Object>> both = oneWaitsForTheOther("tea", null, asking, null, asking);
            store.release("tea");
            assertThatThrownBy(() -> got(both.get(0))).hasRootCauseMessage("no tea, call 1");
            assertThatThrownBy(() -> got(both.get(1))).hasRootCauseMessage("no tea, call 2");
        }

        @Test
        void anItemThatIsThereUnderAnotherNameIsMissingForEveryCaller() throws Exception {
            AskingForItem asking = catalogue -> catalogue.otherName("tea");
            List<Future<Object>> both = oneWaitsForTheOther("tea", null, asking, null, asking);
            store.release("tea");
            assertThat(got(both)).containsExactly(null, null);
            assertThat(store.asked).hasSize(1);
        }

        @Test
        void anArgumentThatChangesWhileItsCallerWaitsForAnotherInstanceFailsItsCall() throws Exception {
            List<String> tags = new ArrayList<>(List.of("green"));
            Region north = new Region(1, "north");
            List<Future<Object>> both = oneWaitsForTheOther(
                    "no tea",
                    null,
                    catalogue -> catalogue.itemIn("no tea", north, List.of("green")),
                    null,
                    catalogue -> catalogue.itemIn("no tea", north, tags));
            tags.add("gold");
            redis.commands().flushall(); // the call under way is not known any more: the second makes its own
            assertThatThrownBy(() -> got(both.get(1)))
                    .hasStackTraceContaining("an argument has changed between the call and its execution");
            store.release("no tea");
            assertThat(got(both.get(0))).isNull();
            assertThat(store.asked).hasSize(1);
        }

        @Test
        void withoutRedisEachInstanceMakesItsBatches() throws Exception {
            try (ClusterRedis mortal = new ClusterRedis()) {
                String yaml = yaml(mortal.port()).replace("max-delay: 10s", "max-delay: 200ms");
                ConfigurableApplicationContext first = start(yaml);
                ConfigurableApplicationContext second = start(yaml);
                mortal.kill();
                assertThat(got(askFor(first, null, catalogue -> catalogue.item("tea"))))
                        .isEqualTo("tea of nobody, call 1");
                assertThat(got(askFor(second, ann("READ"), ItemWay.MONO))).isEqualTo("tea of ann[READ], call 2");
            }
        }
    }
}

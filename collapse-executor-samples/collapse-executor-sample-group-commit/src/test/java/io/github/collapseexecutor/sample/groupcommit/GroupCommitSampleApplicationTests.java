package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The shop as a user starts it, on a real port and asked from outside, with a database in memory. */
class GroupCommitSampleApplicationTests {

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;
    private static HttpClient curl;
    private static Shop shop;
    private static JdbcTemplate jdbc;

    @BeforeAll
    static void start() {
        application = SpringApplication.run(
                GroupCommitSampleApplication.class,
                "--server.port=0",
                "--spring.datasource.url=jdbc:h2:mem:shop;LOCK_TIMEOUT=20000",
                "--load.users=1,20",
                "--load.duration=50ms",
                "--load.sync-delay=0ms,1ms",
                "--load.page=" + folder.resolve("pages/load.html"));
        curl = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        shop = application.getBean(Shop.class);
        jdbc = application.getBean(JdbcTemplate.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void restock() {
        shop.restock(10);
    }

    @Test
    void thereAreAThousandAndTwoProductsWithAStockOfTenEach() {
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM goods", Integer.class))
                .isEqualTo(1_002);
        assertThat(jdbc.queryForObject("SELECT price FROM goods WHERE id = 101", Integer.class))
                .isEqualTo(200_100);
        assertThat(shop.stock()).isEqualTo(10_020);
        assertThat(shop.sold()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/submit", "/submit2", "/submit-later"})
    void everyAcknowledgedRowIsThere(String path) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String name = UUID.randomUUID().toString();
            names.add(name);
            answers.add(postAsync(path + "?order_no=" + name));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().body()).isEqualTo("true");
        }
        assertThat(jdbc.queryForList("SELECT order_no FROM order_info", String.class))
                .containsExactlyInAnyOrderElementsOf(names);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/submit", "/submit2"})
    void rowThatIsThereAlreadyIsAConflictOfItsOwn(String path) throws Exception {
        assertThat(post(path + "?order_no=same").statusCode()).isEqualTo(200);
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(postAsync(path + "?order_no=" + (i == 7 ? "same" : "other" + i)));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(answers.get(i).get().statusCode()).isEqualTo(i == 7 ? 409 : 200);
        }
        assertThat(post(path).body()).isEqualTo("true");
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM order_info", Integer.class))
                .isEqualTo(21);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/order/submit", "/order/submit2", "/order/submit3"})
    void noMoreIsSoldThanThereIs(String path) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add(postAsync(path + "?user_id=7&goods_id=101&count=1"));
        }
        List<String> taken = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            if (answer.get().statusCode() == 200) {
                taken.add(answer.get().body());
            } else {
                assertThat(answer.get().statusCode()).isEqualTo(409);
            }
        }
        assertThat(taken).hasSize(10).doesNotHaveDuplicates();
        assertThat(jdbc.queryForList("SELECT id FROM " + shop.order(), String.class))
                .containsExactlyInAnyOrderElementsOf(taken);
        assertThat(jdbc.queryForObject("SELECT balance FROM inventory WHERE goods_id = 101", Integer.class))
                .isZero();
        assertThat(shop.stock() + shop.sold()).isEqualTo(10_020);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/order/submit", "/order/submit2", "/order/submit3"})
    void orderHoldsWhatWasOrderedAndWhatItCosts(String path) throws Exception {
        String id = post(path + "?user_id=7&goods_id=102&count=3").body();
        assertThat(jdbc.queryForMap("SELECT * FROM " + shop.order()))
                .containsEntry("id", Long.valueOf(id))
                .containsEntry("user_id", 7L)
                .containsEntry("goods_id", 102L)
                .containsEntry("count", 3)
                .containsEntry("amount", 600_600);
        assertThat(shop.stock()).isEqualTo(10_017);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/order/submit", "/order/submit2", "/order/submit3"})
    void orderThatCannotBeIsRefusedAndChangesNothing(String path) throws Exception {
        assertThat(post(path + "?user_id=7&goods_id=5&count=1").statusCode()).isEqualTo(404);
        assertThat(post(path + "?user_id=7&goods_id=101&count=11").statusCode()).isEqualTo(409);
        assertThat(post(path + "?user_id=7&goods_id=101&count=0").statusCode()).isEqualTo(400);
        assertThat(post(path + "?user_id=7&goods_id=101&count=-1").statusCode()).isEqualTo(400);
        assertThat(post(path + "?user_id=7&goods_id=101").statusCode()).isEqualTo(400);
        assertThat(shop.stock()).isEqualTo(10_020);
        assertThat(shop.sold()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/order/submit", "/order/submit2", "/order/submit3"})
    void orderThatCostsTooMuchIsRefusedAloneAndChangesNothing(String path) throws Exception {
        jdbc.update("UPDATE goods SET price = price + 1000000000 WHERE id = 103");
        try {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(postAsync(path + "?user_id=7&count=3&goods_id=" + (i == 7 ? 103 : 104 + i)));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get().statusCode()).isEqualTo(i == 7 ? 409 : 200);
            }
            assertThat(shop.stock()).isEqualTo(10_020 - 19 * 3);
        } finally {
            jdbc.update("UPDATE goods SET price = price - 1000000000 WHERE id = 103");
        }
    }

    @Test
    void loadRunFindsNoMistakeAndDrawsAPage() throws Exception {
        assertThat(application.getBean(LoadRun.class).run()).isTrue();
        String page = Files.readString(folder.resolve("pages/load.html"));
        assertThat(page.split("<svg ", -1)).hasSize(1 + 2 * 12);
        assertThat(page.split("<tr><td>", -1)).hasSize(1 + 2 * 14);
        assertThat(page)
                .contains(
                        "jdbc:h2:mem:shop;LOCK_TIMEOUT=20000",
                        "the database as it is set, +1.0 ms a sync",
                        "rows per commit",
                        "statements per order",
                        "TPS",
                        "p50",
                        "p99");
        assertThat(page).doesNotContain("NaN", "Infinity");
    }

    @Test
    void rowThatNobodyWasToldOfIsAMistake() throws Exception {
        LoadMeasurement honest = measureOneRow(() -> {});
        assertThat(honest.isCorrect()).isTrue();
        LoadMeasurement doubled = measureOneRow(() -> post("/submit2"));
        assertThat(doubled.mistakes()).isOne();
        assertThat(doubled.isCorrect()).isFalse();
        LoadMeasurement lost = measureOneRow(() -> jdbc.execute("DELETE FROM order_info"));
        assertThat(lost.mistakes()).isOne();
        assertThat(lost.isCorrect()).isFalse();
    }

    @Test
    void pieceThatIsInNoOrderIsAMistake() throws Exception {
        ShopUnderLoad load = application.getBean(ShopUnderLoad.class);
        Disk disk = new Disk(null, Duration.ZERO);
        LoadMeasurement stolen = load.measure(disk, LoadScenario.ORDERS, LoadScenario.Way.COLLAPSED, users -> {
            users.ask(1, 1);
            jdbc.update("UPDATE inventory SET balance = balance - 1 WHERE goods_id = 1");
        });
        assertThat(stolen.acknowledged()).isOne();
        assertThat(stolen.mistakes()).isOne();
    }

    /** Read the product, read its stock, deduct from it, insert the order. */
    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "COLLAPSED", "LIMITED"})
    void loneOrderTakesFourStatements(LoadScenario.Way way) throws Exception {
        ShopUnderLoad load = application.getBean(ShopUnderLoad.class);
        LoadMeasurement measurement =
                load.measure(new Disk(null, Duration.ZERO), LoadScenario.ORDERS, way, users -> users.ask(1, 5));
        assertThat(measurement.isCorrect()).isTrue();
        assertThat(measurement.statements()).isEqualTo(4 * 5);
    }

    @Test
    void requestThatFailsSpoilsTheRun() throws Exception {
        jdbc.update("UPDATE goods SET id = id + 10000 WHERE id > 200");
        LoadMeasurement refused = measure(LoadScenario.ORDERS, users -> users.ask(4, 50));
        jdbc.update("UPDATE goods SET id = id - 10000 WHERE id > 10000");
        assertThat(refused.failed()).isPositive();
        assertThat(refused.mistakes()).isZero();
        assertThat(refused.isCorrect()).isFalse();
    }

    @Test
    void runWithoutAnyRequestIsNotCorrect() throws Exception {
        LoadMeasurement nothing = measure(LoadScenario.ROWS, users -> {});
        assertThat(nothing.failed() + nothing.mistakes()).isZero();
        assertThat(nothing.isCorrect()).isFalse();
    }

    private static LoadMeasurement measure(LoadScenario scenario, ShopUnderLoad.Load by) throws Exception {
        ShopUnderLoad load = application.getBean(ShopUnderLoad.class);
        return load.measure(new Disk(null, Duration.ZERO), scenario, LoadScenario.Way.PLAIN, by);
    }

    /** What happens besides. */
    private interface Deed {
        void happen() throws Exception;
    }

    private static LoadMeasurement measureOneRow(Deed deed) throws Exception {
        ShopUnderLoad load = application.getBean(ShopUnderLoad.class);
        Disk disk = new Disk(null, Duration.ZERO);
        return load.measure(disk, LoadScenario.ROWS, LoadScenario.Way.COLLAPSED, users -> {
            users.ask(1, 1);
            try {
                deed.happen();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void syncDelayOutOfRangeIsRefused() {
        assertThatThrownBy(() -> disks("", Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("load.sync-delay holds 2000 ms: each must be from 0ms to 1s");
        assertThatThrownBy(() -> disks("strict", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("load.durability is strict, but H2 has no such setting: leave it out, or choose"
                        + " --spring.profiles.active=mariadb");
    }

    private static Disks disks(String durability, Duration syncDelay) {
        return new Disks(
                jdbc, application.getBeanProvider(EmbeddedMariaDb.class), new SlowDisk(), durability, new Duration[] {
                    syncDelay
                });
    }

    private static HttpResponse<String> post(String path) throws Exception {
        return curl.send(request(path), BodyHandlers.ofString());
    }

    private static CompletableFuture<HttpResponse<String>> postAsync(String path) {
        return curl.sendAsync(request(path), BodyHandlers.ofString());
    }

    private static HttpRequest request(String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .POST(BodyPublishers.noBody())
                .build();
    }
}

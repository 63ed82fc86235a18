package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The shop as a user starts it, on a real port and asked from outside, with a database in memory. */
@Timeout(300)
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
                "--load.duration=300ms",
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
    @ValueSource(strings = {"/submit", "/submit2"})
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
    @ValueSource(strings = {"/order/submit", "/order/submit2"})
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
    @ValueSource(strings = {"/order/submit", "/order/submit2"})
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
    @ValueSource(strings = {"/order/submit", "/order/submit2"})
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
    @ValueSource(strings = {"/order/submit", "/order/submit2"})
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
        assertThat(page.split("<svg ", -1)).hasSize(1 + 12);
        assertThat(page.split("<tr><td>", -1)).hasSize(1 + 14);
        assertThat(page)
                .contains(
                        "jdbc:h2:mem:shop;LOCK_TIMEOUT=20000",
                        "rows per commit",
                        "statements per order",
                        "TPS",
                        "p50",
                        "p99");
        assertThat(page).doesNotContain("NaN", "Infinity");
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

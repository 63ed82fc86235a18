package io.github.collapseexecutor.sample.groupcommit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.w3c.dom.Document;

/** The shop on a MariaDB that it brings along. */
class MariaDbProfileTests {

    private static final Duration[] NO_DELAY = {Duration.ZERO};

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;
    private static JdbcTemplate jdbc;

    @BeforeAll
    static void start() {
        application = SpringApplication.run(
                GroupCommitSampleApplication.class,
                "--server.port=0",
                "--spring.profiles.active=mariadb",
                "--load.ramp=10:1s",
                "--load.limit=3",
                "--load.requests=20:10",
                "--load.users=20",
                "--load.duration=50ms",
                "--load.page=" + folder.resolve("load.html"));
        jdbc = application.getBean(JdbcTemplate.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void loadRunFindsNoMistakeOnAServerThatSyncsEveryCommit() throws Exception {
        assertThat(application.getBean(LoadRun.class).run()).isTrue();
        assertThat(variable("sync_binlog")).isOne();
        assertThat(variable("innodb_flush_log_at_trx_commit")).isOne();
        assertThat(variable("log_bin")).isOne();
        assertThat(page()).contains("orders of one product: strict (1/1)", " processors", "MariaDB 11");
    }

    @Test
    void rampFindsNoMistakeAndMarksTheUsersWithTheMostOrders() throws Exception {
        assertThat(application.getBean(RampRun.class).run()).isTrue();
        assertThat(page().split("<svg ", -1)).hasSize(1 + 4 + 5);
        assertThat(page())
                .contains("TPS", "M = ", "active users", "seconds")
                .contains("processors of the database, %", "written by the database, MB/s")
                .doesNotContain("NaN", "Infinity");
        assertThat(page().split("<tr><td>strict", -1)).hasSize(1 + 3); // also with a limit
        Document picture = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(folder.resolve("load.svg").toFile());
        assertThat(picture.getElementsByTagName("svg").getLength()).isEqualTo(1 + 4 + 5);
    }

    @Test
    void everyGroupSizeWritesEveryRow() throws Exception {
        assertThat(application.getBean(GroupSizeRun.class).run()).isTrue();
        assertThat(page())
                .contains("<tr><td>one by one<", "<tr><td>groups of 20, 1 ms<", "<tr><td>groups of 200, 5 ms<")
                .contains("<tr><td>no window<", "<td>8800</td>", "<td>5200</td>", "20 users write 10 rows each")
                .doesNotContain("NaN", "Infinity");
    }

    @Test
    void serverTakesOnEachDurability() {
        Disks disks = disks("write-optimized,both", NO_DELAY);
        for (Disk disk : disks.all()) {
            disks.use(disk);
            requireNonNull(disk.durability())
                    .variables()
                    .forEach((name, value) -> assertThat(variable(name)).isEqualTo(value));
        }
        assertThat(disks.all())
                .extracting(Disk::title)
                .containsExactly("write-optimized (0/0)", "strict (1/1)", "relaxed (2/1000)");
    }

    @Test
    void onlyCommitsThatSyncMeetTheSlowDisk() {
        Disks disks = disks("strict,write-optimized", new Duration[] {Duration.ZERO, Duration.ofMillis(5)});
        assertThat(disks.all())
                .extracting(Disk::title)
                .containsExactly("strict (1/1)", "write-optimized (0/0)", "strict (1/1), +5.0 ms a sync");
    }

    @Test
    void serverOfTheUsersOwnIsCheckedAndLeftAsItIs() {
        Disks embedded = disks("strict", NO_DELAY);
        embedded.use(embedded.all().get(0));
        Disks given = given("strict");
        given.use(given.all().get(0));
        assertThatThrownBy(() -> given("relaxed"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("load.durability is relaxed, but the server has innodb_flush_log_at_trx_commit = 1:"
                        + " set it to 2 there, or choose the load.durability that it has");
        assertThat(variable("innodb_flush_log_at_trx_commit")).isOne();
        assertThat(given("").all()).containsExactly(new Disk(null, Duration.ZERO));
    }

    @Test
    void schemaIsThatOfTheScript() {
        Shop shop = application.getBean(Shop.class);
        shop.restock(10);
        assertThat(shop.stock()).isEqualTo(10_020);
        assertThat(jdbc.queryForObject("SELECT price FROM goods WHERE id = 1100", Integer.class))
                .isEqualTo(300_000);
        assertThat(jdbc.queryForObject("SELECT name FROM goods WHERE id = 1100", String.class))
                .isEqualTo("goods_1100");
    }

    private static Disks disks(String durability, Duration[] syncDelays) {
        return new Disks(
                jdbc, application.getBeanProvider(EmbeddedMariaDb.class), new SlowDisk(), durability, syncDelays);
    }

    /** As if the server were not the sample's own. */
    private static Disks given(String durability) {
        return new Disks(
                jdbc,
                new StaticListableBeanFactory().getBeanProvider(EmbeddedMariaDb.class),
                new SlowDisk(),
                durability,
                NO_DELAY);
    }

    private static int variable(String name) {
        Integer value = jdbc.queryForObject("SELECT @@" + name, Integer.class);
        return value == null ? -1 : value;
    }

    private static String page() throws Exception {
        return Files.readString(folder.resolve("load.html"));
    }
}

package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The shop on a MariaDB that it brings along. */
@Timeout(300)
class MariaDbProfileTests {

    @TempDir
    private Path folder;

    @Test
    void loadRunFindsNoMistakeOnAServerThatSyncsEveryCommit() throws Exception {
        try (ConfigurableApplicationContext application = SpringApplication.run(
                GroupCommitSampleApplication.class,
                "--server.port=0",
                "--spring.profiles.active=mariadb",
                "--load.users=20",
                "--load.duration=300ms",
                "--load.page=" + folder.resolve("load.html"))) {
            JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
            assertThat(jdbc.queryForObject("SELECT @@sync_binlog", Integer.class))
                    .isOne();
            assertThat(jdbc.queryForObject("SELECT @@innodb_flush_log_at_trx_commit", Integer.class))
                    .isOne();
            assertThat(jdbc.queryForObject("SELECT @@log_bin", Integer.class)).isOne();
            assertThat(application.getBean(LoadRun.class).run()).isTrue();
        }
    }
}

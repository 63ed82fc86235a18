package io.github.collapseexecutor.http.servlet.mvc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a server of these tests leaves to the other tests of its JVM. */
class MvcServerTests {

    /** The end of a deployed Spring Boot application takes the drivers of its own class loader with it. */
    @ParameterizedTest
    @EnumSource
    void theEndOfAServerLeavesTheDriversOfOtherTests(Make make) throws Exception {
        long before = DriverManager.drivers().count();
        MvcServer.start(make, MvcApplication.Mode.OFF).close();
        assertThat(DriverManager.drivers().count()).isEqualTo(before).isPositive();
    }
}

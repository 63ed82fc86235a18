package io.github.collapseexecutor.http.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No limit of the lab explains what must never be, whatever the set-up: a caller with another's body, or with a part of the body as if it were all. */
class LabLimitsTests {

    private static final int SEEDS = 300;

    private static final List<String> ENDS = List.of("ended", "cut off: [java.io.IOException]");

    private static RawReply reply(String body, String end) {
        return RawReply.of("200 Said\nX-Own: GET 1\n", body.getBytes(StandardCharsets.UTF_8), end);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "^(SPRING|WEB_CLIENT|JDK|OK_HTTP|APACHE|FEIGN).*")
    void noLimitOfAClientExplainsAnothersBody(LabMake make) {
        for (long seed = 0; seed < SEEDS; seed++) {
            LabSetup setup = LabSetup.of(seed, make);
            for (LabCall call : setup.callers().stream().flatMap(List::stream).toList()) {
                for (String end : ENDS) {
                    assertNotExplained(make, setup, call, reply("[ann]", end), reply("[bob]", end));
                }
                assertNotExplained(make, setup, call, reply("[ann]", "ended"), reply("[a", "ended"));
                assertNotExplained(make, setup, call, reply("[ann]", "ended"), reply("", "ended"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TOMCAT", "JETTY", "UNDERTOW", "REACTIVE_NETTY", "REACTIVE_TOMCAT"})
    void noLimitOfAServerExplainsAnothersName(LabMake make) {
        for (long seed = 0; seed < SEEDS; seed++) {
            LabSetup setup = LabSetup.of(seed, make);
            for (LabCall call : setup.callers().stream().flatMap(List::stream).toList()) {
                String own = call.headers().get(0).getValue();
                String other = LabSetup.USERS.get((LabSetup.USERS.indexOf(own) + 1) % LabSetup.USERS.size());
                for (String status : List.of("200", "500")) {
                    RawReply plain = served("200", "[" + own + "]");
                    assertNotExplained(make, setup, call, plain, served(status, "[" + other + "]"));
                    assertNotExplained(
                            make, setup, call, plain, served(status, "[" + String.join("\0", other.split("")) + "]"));
                    assertNotExplained(make, setup, call, plain, served(status + "\nX-Multi: " + other, "[" + own));
                }
            }
        }
    }

    private static RawReply served(String head, String body) {
        return new RawReply("HTTP/1.1 " + head + "\n", body, "chunked", List.of(body.length()));
    }

    private static void assertNotExplained(
            LabMake make, LabSetup setup, LabCall call, RawReply plain, RawReply collapsed) {
        assertThat(LabLimits.explaining(make, setup, call, plain, collapsed))
                .as("%s, %s: %s in place of %s", call, setup, collapsed, plain)
                .isEmpty();
    }
}

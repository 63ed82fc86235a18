package io.github.collapseexecutor.spring.boot.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SharingWarningTests {

    @Test
    void H34_policyThatSharesAcrossUsersIsLoggedOnce(CapturedOutput output) {
        new TestApplication().start("""
                collapse.executor.rest-template:
                  collapse-policies:
                    public:
                      share-across-users: true
                    unused:
                      share-across-users: true
                  collapse-groups:
                    - collapse-policy-name: public
                      uris: /news/*
                    - collapse-policy-name: public
                      uris: /weather/*
                """).close();
        assertThat(output.getAll()).containsOnlyOnce("shares across users").contains("Policy public of ");
    }

    @Test
    void policiesThatKeepUsersApartAreNotMentioned(CapturedOutput output) {
        new TestApplication().startFrom("classpath:documented.yaml").close();
        assertThat(output.getAll()).doesNotContain("shares across users");
    }
}

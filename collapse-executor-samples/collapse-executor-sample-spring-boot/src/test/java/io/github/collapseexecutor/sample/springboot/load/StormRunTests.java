package io.github.collapseexecutor.sample.springboot.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.collapseexecutor.figures.Section;
import org.junit.jupiter.api.Test;

/** The storm as it is started by hand, with servers in processes of their own, but for a moment. */
class StormRunTests {

    @Test
    void everybodyIsAnsweredRightlyThroughEachMood() throws Exception {
        Section section = new StormRun(300, 0.5).run();
        assertThat(section.mistakes()).isEmpty();
        assertThat(section.tables().get(0).rows()).hasSize(3);
    }

    @Test
    void argumentsAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StormRun(0, 1))
                .withMessage("callers is 0 and seconds is 1.0: both must be positive");
    }
}

package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorBlockingSupport;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A subclass that relies on equal inputs, as those of the predecessor could, and the line that keeps it right. */
class MigrationExamplesTests {

    private static final int CALLERS = 12;

    private final UserClient service = new UserClient();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);

    /** A client whose first request ends when all callers are there. */
    class GatedClient {

        User fetch(long id) throws Exception {
            begun.countDown();
            assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
            return service.fetch(id);
        }
    }

    /** Gives every caller of a batch the user of the first. */
    class FirstForAll extends CollapseExecutorBlockingSupport<Long, User, User> {

        private final GatedClient client = new GatedClient();

        FirstForAll() {
            super(CollapseOptions.builder().maxConcurrentBatches(1).build());
        }

        // readme:begin migration-before
        @Override
        protected User doExecute(Collection<Input<Long>> inputs) throws Exception {
            return client.fetch(inputs.iterator().next().value()); // takes all inputs for equal
        }

        @Override
        protected void bindingOutput(User user, List<Bundle<Long, User>> bundles) {
            bundles.forEach(bundle -> bundle.bindOutput(user));
        }
        // readme:end
    }

    class EqualOnly extends FirstForAll {

        // readme:begin migration-group
        @Override
        protected Object groupOf(Long id) {
            return id; // only equal inputs share a batch
        }
        // readme:end
    }

    /** How many of twelve callers at once get another's answer. */
    private int wrongAnswers(BlockingCollapseExecutor<Long, User> users) throws Exception {
        List<FutureTask<User>> callers = new ArrayList<>();
        for (long i = 0; i < CALLERS; i++) {
            long id = i % 4;
            FutureTask<User> caller = new FutureTask<>(() -> users.execute(id));
            callers.add(caller);
            Thread thread = new Thread(caller, "caller");
            thread.start();
            if (i == 0) {
                assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            }
        }
        while (users.counts().callers() < CALLERS) {
            Thread.onSpinWait();
        }
        gate.countDown();
        int wrong = 0;
        for (int i = 0; i < CALLERS; i++) {
            if (callers.get(i).get().id() != i % 4) {
                wrong++;
            }
        }
        return wrong;
    }

    @Test
    void subclassThatReliesOnEqualInputsNeedsTheLine() throws Exception {
        assertThat(wrongAnswers(new FirstForAll())).isPositive();
    }

    @Test
    void lineKeepsTheOldMeaning() throws Exception {
        assertThat(wrongAnswers(new EqualOnly())).isZero();
    }

    @Test
    void optionsOfAFunctionSayTheSame() throws Exception {
        UserClient client = service;
        // readme:begin migration-function
        BlockingCollapseExecutor<Long, User> users = CollapseExecutors.blockingInOrder(
                ids -> sameForAll(client.fetch(ids.get(0)), ids.size()),
                CollapseOptions.defaults().groupBy((Long id) -> id));
        // readme:end
        assertThat(users.execute(7L)).isEqualTo(new User(7, "user 7"));
    }

    private static List<User> sameForAll(User user, int callers) {
        return Collections.nCopies(callers, user);
    }
}

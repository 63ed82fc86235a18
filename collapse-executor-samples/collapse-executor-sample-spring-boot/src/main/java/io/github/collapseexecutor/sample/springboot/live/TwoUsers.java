package io.github.collapseexecutor.sample.springboot.live;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.springframework.stereotype.Component;

/** Two users ask for the same address through the same client at the same time, each with credentials of her own. */
@Component
class TwoUsers {

    private static final List<String> NAMES = List.of("Ada", "Grace");
    private static final int CALLERS_EACH = 25;

    /**
     * What became of one user's calls.
     *
     * @param name the user
     * @param callers how many asked on her behalf
     * @param ownAnswers how many answers had her name
     * @param backendCalls how many calls with her credentials reached the backend
     */
    record OfUser(String name, int callers, long ownAnswers, long backendCalls) {}

    /**
     * What became of all.
     *
     * @param wrong how many callers had an answer with another name
     */
    record Result(List<OfUser> users, long wrong) {}

    // immutable
    private final LiveClients clients;
    private final LiveBackend backend;

    TwoUsers(LiveClients clients, LiveBackend backend) {
        this.clients = clients;
        this.backend = backend;
    }

    /** One after another: the backend's count is of all that ask. */
    synchronized Result ask(LiveMode mode) throws Exception {
        List<Long> before = NAMES.stream().map(backend::callsOf).toList();
        List<List<String>> answers = answers(mode);
        List<OfUser> users = new ArrayList<>();
        long wrong = 0;
        for (int i = 0; i < NAMES.size(); i++) {
            String name = NAMES.get(i);
            long own = answers.get(i).stream().filter(name::equals).count();
            users.add(new OfUser(name, CALLERS_EACH, own, backend.callsOf(name) - before.get(i)));
            wrong += CALLERS_EACH - own;
        }
        return new Result(users, wrong);
    }

    /** Returns the names that each user's callers were answered with. */
    private List<List<String>> answers(LiveMode mode) throws Exception {
        int count = NAMES.size() * CALLERS_EACH;
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            CyclicBarrier begin = new CyclicBarrier(count);
            List<List<Future<String>>> asked = new ArrayList<>();
            for (String name : NAMES) {
                List<Future<String>> ofUser = new ArrayList<>();
                for (int i = 0; i < CALLERS_EACH; i++) {
                    ofUser.add(threads.submit(() -> {
                        begin.await();
                        return clients.me(mode, LiveBackend.credentialsOf(name)).name();
                    }));
                }
                asked.add(ofUser);
            }
            List<List<String>> answers = new ArrayList<>();
            for (List<Future<String>> ofUser : asked) {
                List<String> names = new ArrayList<>();
                for (Future<String> answer : ofUser) {
                    names.add(get(answer));
                }
                answers.add(names);
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }

    private static String get(Future<String> answer) throws Exception {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }
}

package io.github.collapseexecutor.sample.advanced;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands for a service with a bulk call: it knows the users 1 to 1 000 and counts how often it is asked. */
public class UserService {

    private static final int USERS = 1_000;

    // mutable, atomic
    private final AtomicInteger calls = new AtomicInteger();

    /** Returns the users of these numbers; numbers of nobody are left out. */
    public Map<Long, UserEntity> findAll(Collection<Long> ids) {
        calls.incrementAndGet();
        Map<Long, UserEntity> users = new LinkedHashMap<>();
        for (Long id : ids) {
            if (id >= 1 && id <= USERS) {
                users.put(id, new UserEntity(id, "user " + id));
            }
        }
        return users;
    }

    /** Returns how many bulk calls there have been. */
    public int calls() {
        return calls.get();
    }
}

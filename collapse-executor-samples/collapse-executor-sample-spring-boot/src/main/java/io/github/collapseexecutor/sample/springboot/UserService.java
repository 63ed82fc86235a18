package io.github.collapseexecutor.sample.springboot;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/** Stands for a data base: it knows the users 1 to 1 000, takes its time for every call, one user or many, and counts. */
@Service
class UserService {

    private static final long USERS = 1_000;

    // immutable
    private final Duration serviceTime;

    // mutable, atomic
    private final AtomicLong calls = new AtomicLong();

    UserService(@Value("${sample.service-time}") Duration serviceTime) {
        this.serviceTime = serviceTime;
    }

    Optional<UserEntity> find(long id) throws InterruptedException {
        return findAll(List.of(id)).stream().findFirst();
    }

    List<UserEntity> findAll(Collection<Long> ids) throws InterruptedException {
        calls.incrementAndGet();
        Thread.sleep(serviceTime.toMillis());
        return new LinkedHashSet<>(ids)
                .stream()
                        .filter(id -> id >= 1 && id <= USERS)
                        .map(UserEntity::of)
                        .toList();
    }

    /** Returns how many calls there have been since the start. */
    long calls() {
        return calls.get();
    }

    Duration serviceTime() {
        return serviceTime;
    }
}

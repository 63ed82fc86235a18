package io.github.collapseexecutor.sample.advanced.readme;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.stream.Collectors.toMap;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The client of a user service, as the examples of the documentation take it for given. */
final class UserClient {

    private final Map<Long, String> names = new ConcurrentHashMap<>();

    User fetch(long id) {
        return new User(id, names.getOrDefault(id, "user " + id));
    }

    void rename(long id, String name) {
        names.put(id, name);
    }

    CompletableFuture<User> fetchAsync(long id) {
        return completedFuture(fetch(id));
    }

    Map<Long, User> fetchAll(Collection<Long> ids) {
        return ids.stream().distinct().map(this::fetch).collect(toMap(User::id, Function.identity()));
    }

    /** What the last request for these users failed with: those of negative ids are locked. */
    Map<Long, IllegalStateException> failuresOf(Collection<Long> ids) {
        return ids.stream()
                .filter(id -> id < 0)
                .collect(toMap(Function.identity(), id -> new IllegalStateException("user " + id + " is locked")));
    }

    /** Stores blobs with one request, and returns how many bytes of each are stored. */
    List<Long> storeAll(List<byte[]> blobs) {
        return blobs.stream().map(blob -> (long) blob.length).toList();
    }
}

package io.github.collapseexecutor.spring.boot.config;

import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.FollowerTimeoutPolicy;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * What the section of every HTTP adapter under {@code collapse.executor} has in common; {@link OptionsReader} makes options of
 * it. A section is a record, so that its keys and their descriptions stand in one place.
 */
public interface HttpSection {

    boolean enabled();

    Map<String, CollapseExecutorProperties.Policy> collapsePolicies();

    List<CollapseExecutorProperties.Group> collapseGroups();

    @Nullable JoinMode join();

    @Nullable DataSize maxBodySize();

    List<String> ignoredRequestHeaders();

    List<String> credentialHeaders();

    @Nullable LeaderFailurePolicy onLeaderFailure();

    @Nullable Integer fanOutLimit();

    @Nullable Duration passTtl();

    @Nullable Duration followerTimeout();

    @Nullable FollowerTimeoutPolicy onFollowerTimeout();

    @Nullable String cacheStatus();

    boolean dryRun();

    /** The beans that collapse; a server has none. */
    default List<String> applyBeanNames() {
        return List.of();
    }

    /** The groups of HTTP services that collapse; a server has none. */
    default List<String> applyHttpServiceGroups() {
        return List.of();
    }

    /** Whether clients share responses with other instances; a server does not. */
    default boolean cluster() {
        return false;
    }
}

package io.github.collapseexecutor.spring.boot;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.spring.boot.cluster.ExecutorSharing;
import io.github.collapseexecutor.spring.boot.config.BeansByName;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.registry.MadeExecutors;
import io.github.collapseexecutor.spring.boot.registry.ObservedExecutors;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Makes executors that are configured by their names: a bean of every application.
 *
 * <pre>{@code
 * @Bean
 * BlockingCollapseExecutor<Long, User> users(NamedExecutors executors, UserRepository repository) {
 *     return executors.make(
 *             "users", options -> CollapseExecutors.blockingByKey(repository::byIds, MissingKeyPolicy.FAILURE, options));
 * }
 * }</pre>
 *
 * <p>A name under {@code collapse.executor.executors} that no bean has is that of a bean of type {@link
 * BlockingCallableGroupCollapseExecutor}, for {@code @Qualifier("users")}.
 *
 * <p>An executor gathers as the properties under {@code collapse.executor.executors} say for its name, else as those under {@code
 * collapse.executor} do for all. Every {@link CollapseListener} and {@link ContextCarrier} bean is attached to it, and meters, observations
 * and the endpoint {@code collapse} know it where there are any. With {@code collapse.executor.enabled: false}, each input is a batch of
 * its own. An executor of callables whose section says {@code cluster: true} shares its calls with other instances.
 *
 * <p>The executors are closed with the context, after the beans that depend on this one; their calls have 20 seconds to end. All methods
 * are thread-safe.
 */
public final class NamedExecutors {

    private static final Duration DRAIN = Duration.ofSeconds(20);

    // immutable
    private final CollapseExecutorProperties properties;
    private final ObjectProvider<ContextCarrier> carriers;
    private final ObservedExecutors observed;
    private final ExecutorSharing sharing;
    private final MadeExecutors made;

    NamedExecutors(
            CollapseExecutorProperties properties,
            ObjectProvider<ContextCarrier> carriers,
            ObservedExecutors observed,
            ExecutorSharing sharing,
            MadeExecutors made) {
        this.properties = properties;
        this.carriers = carriers;
        this.observed = observed;
        this.sharing = sharing;
        this.made = made;
        properties.executors().keySet().forEach(this::configured); // what is wrong must stop the start
        sharing.check();
    }

    /**
     * Makes an executor.
     *
     * @param name its name, by which properties, meters and the endpoint know it; it should be one of a fixed set
     * @param maker makes the executor of its options, once; it may change them, but for the name
     * @param <E> the kind of executor
     * @return what the maker returned
     * @throws IllegalArgumentException if a section under {@code collapse.executor} has the name
     */
    public <E extends CollapseExecutor> E make(String name, Function<CollapseOptions, E> maker) {
        requireNonNull(maker, "maker");
        if (OptionsReader.SECTIONS.contains(requireNonNull(name, "name"))) {
            throw new IllegalArgumentException("The executors of a section are called " + name
                    + ": choose another name than " + String.join(", ", OptionsReader.SECTIONS));
        }
        CollapseOptions options = properties.enabled() ? observed(configured(name)) : notGathering(name);
        E executor = requireNonNull(maker.apply(options), "the maker returned null");
        sharing.checkMade(name, executor);
        made.add(name, options, executor);
        observed.made(name, executor);
        return executor;
    }

    private CollapseOptions configured(String name) {
        return OptionsReader.coreOptions(name, properties);
    }

    private CollapseOptions observed(CollapseOptions configured) {
        return configured.toBuilder()
                .listener(observed.listener(configured.name()))
                .contextCarrier(observed.carrier(carriers, configured.name()))
                .callWrapper(sharing.wrapper(configured.name(), configured.joinMode()))
                .build();
    }

    private static CollapseOptions notGathering(String name) {
        return CollapseOptions.builder().name(name).maxBatchSize(1).build();
    }

    /** Makes the bean that {@link BeansByName} defines. */
    BlockingCallableGroupCollapseExecutor callables(String name) {
        return make(name, BlockingCallableGroupCollapseExecutor::new);
    }

    void close() {
        made.close(DRAIN);
    }
}

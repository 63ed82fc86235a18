package io.github.collapseexecutor.sample.advanced;

import static java.util.stream.Collectors.toCollection;

import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorAsyncSupport;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;

/** Finds users; the callers hold futures, and a thread of an executor makes the bulk call for all. */
public class CustomAsyncCollapseExecutor extends CollapseExecutorAsyncSupport<Long, UserEntity, Map<Long, UserEntity>> {

    // immutable
    private final UserService service;

    public CustomAsyncCollapseExecutor(UserService service, CollapseOptions options) {
        super(options);
        this.service = service;
    }

    @Override
    protected Map<Long, UserEntity> doExecute(Collection<Input<Long>> inputs) {
        return service.findAll(inputs.stream().map(Input::value).collect(toCollection(LinkedHashSet::new)));
    }

    @Override
    protected void bindingOutput(
            Map<Long, UserEntity> users, List<Bundle<Long, CompletableFuture<UserEntity>>> bundles) {
        for (Bundle<Long, CompletableFuture<UserEntity>> bundle : bundles) {
            UserEntity user = users.get(bundle.getInput());
            if (user == null) {
                bundle.bindError(new NoSuchElementException("There is no user " + bundle.getInput()));
            } else {
                bundle.bindOutput(CompletableFuture.completedFuture(user));
            }
        }
    }
}

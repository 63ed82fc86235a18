package io.github.collapseexecutor.sample.springboot;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorBlockingSupport;
import io.github.collapseexecutor.core.Input;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestTemplate;

/** Turns single calls into calls of the batch endpoint: concurrent callers of different users share one request. */
@Component
class RestTemplateBatchGetExecutor extends CollapseExecutorBlockingSupport<Long, UserEntity, Map<Long, UserEntity>> {

    // immutable
    private final RestTemplate restTemplate;
    private final SampleAddresses addresses;

    RestTemplateBatchGetExecutor(@Qualifier("plainRestTemplate") RestTemplate restTemplate, SampleAddresses addresses) {
        this.restTemplate = restTemplate;
        this.addresses = addresses;
    }

    @Override
    protected Map<Long, UserEntity> doExecute(Collection<Input<Long>> inputs) {
        Set<Long> ids = inputs.stream().map(Input::value).collect(Collectors.toCollection(LinkedHashSet::new));
        UserEntity[] users = restTemplate.getForObject(addresses.users(ids), UserEntity[].class);
        return Stream.of(requireNonNull(users, "users")).collect(Collectors.toMap(UserEntity::id, Function.identity()));
    }

    @Override
    protected void bindingOutput(Map<Long, UserEntity> users, List<Bundle<Long, UserEntity>> bundles) {
        for (Bundle<Long, UserEntity> bundle : bundles) {
            UserEntity user = users.get(bundle.getInput());
            if (user == null) {
                bundle.bindError(new NoSuchElementException("There is no user " + bundle.getInput()));
            } else {
                bundle.bindOutput(user);
            }
        }
    }
}

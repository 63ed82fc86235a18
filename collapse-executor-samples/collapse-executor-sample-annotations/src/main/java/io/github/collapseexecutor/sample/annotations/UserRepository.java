package io.github.collapseexecutor.sample.annotations;

import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;

/** Users by their key: concurrent calls of findById become calls of findAllById. */
public interface UserRepository extends JpaRepository<User, Long> {

    @Override
    @CollapseBatch(method = "findAllById", itemKey = "id")
    Optional<User> findById(Long id);
}

package io.github.collapseexecutor.sample.annotations;

import io.github.collapseexecutor.spring.annotation.Collapsible;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What callers use; it knows nothing of batches. */
@Service
public class UserService {

    private final UserRepository users;

    UserService(UserRepository users) {
        this.users = users;
    }

    /**
     * Returns a user.
     *
     * @param id the key
     * @return the user
     */
    public User user(long id) {
        return users.findById(id).orElseThrow();
    }

    /**
     * Counts the users for a user that is logged in and may read.
     *
     * @return the name of the caller and the number
     */
    @Collapsible
    @PreAuthorize("hasAuthority('READ')")
    @Transactional(readOnly = true)
    public String summary() {
        String caller = SecurityContextHolder.getContext().getAuthentication().getName();
        return caller + " sees " + users.count() + " users";
    }
}

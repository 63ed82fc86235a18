package io.github.collapseexecutor.foreign.server;

import java.util.List;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/** Those that Spring Security knows. */
final class Users {

    private Users() {}

    static List<UserDetails> all() {
        return List.of(user("alice"), user("bob"));
    }

    private static UserDetails user(String name) {
        return User.withUsername(name).password("{noop}" + name).roles("USER").build();
    }
}

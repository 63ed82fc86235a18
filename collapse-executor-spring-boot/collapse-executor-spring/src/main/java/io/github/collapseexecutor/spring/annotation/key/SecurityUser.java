package io.github.collapseexecutor.spring.annotation.key;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

/**
 * A user of Spring Security as part of a key. {@link UserEquality} says which authentications are of one user. The hash is taken once, because
 * credentials are erased.
 */
public final class SecurityUser {

    /** All callers that nobody has logged in are one user: they have no rights to tell apart. */
    private record Anonymous(Object principal, Set<GrantedAuthority> authorities) {}

    // immutable
    private final Authentication authentication;
    private final int hash;

    private SecurityUser(Authentication authentication) {
        this.authentication = authentication;
        this.hash = String.valueOf(authentication.getName()).hashCode();
    }

    public static @Nullable Object of(@Nullable Authentication authentication) {
        if (authentication == null) {
            return null;
        }
        return authentication.getClass() == AnonymousAuthenticationToken.class
                ? new Anonymous(authentication.getPrincipal(), Set.copyOf(authentication.getAuthorities()))
                : new SecurityUser(authentication);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this || (other instanceof SecurityUser user && isSame(user.authentication));
    }

    /** The authentication of a class of the application's may hide principal and details from the comparison of its fields. */
    private boolean isSame(Authentication other) {
        return UserEquality.areSame(authentication, other)
                && UserEquality.areSame(authentication.getPrincipal(), other.getPrincipal())
                && UserEquality.areSame(authentication.getDetails(), other.getDetails());
    }

    /** Writes all there is of the user, or what the application says of it. */
    void writeTo(KeyText text) throws KeyText.NoTextException {
        KeyText unused = text.word("user").part(authentication);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}

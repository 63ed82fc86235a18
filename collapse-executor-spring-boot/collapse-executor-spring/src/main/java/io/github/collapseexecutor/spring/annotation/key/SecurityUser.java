package io.github.collapseexecutor.spring.annotation.key;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.core.NativeDetector;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.userdetails.User;

/**
 * A user of Spring Security as part of a key. Two are the same if they are one object, or if the name, the rights, the principal, credentials and
 * details of two authentications of one class are equal. An object counts whose class has an {@code equals} of its own: one that is inherited does not see what the
 * class adds. A user with another object is the same as no other, and one warning for each class says so.
 */
public final class SecurityUser {

    /** All callers that nobody has logged in are one user: they have no rights to tell apart. */
    private record Anonymous(Object principal, List<Object> rights) {}

    private static final Log logger = LogFactory.getLog(SecurityUser.class);

    private static final String SECURITY = "org.springframework.security.";

    /** All that their objects hold is looked at here; a token holds what its text says, which its inherited equals compares. */
    private static final Set<String> SEEN = Set.of(
            SECURITY + "authentication.UsernamePasswordAuthenticationToken",
            SECURITY + "authentication.RememberMeAuthenticationToken",
            SECURITY + "authentication.TestingAuthenticationToken",
            SECURITY + "web.authentication.preauth.PreAuthenticatedAuthenticationToken",
            SECURITY + "oauth2.server.resource.authentication.JwtAuthenticationToken",
            SECURITY + "oauth2.jwt.Jwt");

    /** The details of most users of the web: their address and session. */
    private static final String OF_THE_WEB = SECURITY + "web.authentication.WebAuthenticationDetails";

    /** A right of Spring Security 7 that says how a user has logged in, and when. */
    private static final String FACTOR = SECURITY + "core.authority.FactorGrantedAuthority";

    private static final int FACTOR_STEP_SECONDS = 10;

    private static final ClassValue<Boolean> COMPARES_ALL = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return comparesAll(type);
        }
    };

    /** Whether a class has been warned of. */
    private static final ClassValue<AtomicBoolean> TOLD = new ClassValue<>() {
        @Override
        protected AtomicBoolean computeValue(Class<?> type) {
            return new AtomicBoolean();
        }
    };

    // immutable
    private final Authentication authentication;
    /** Taken once, because credentials are erased. */
    private final List<@Nullable Object> parts;

    private final @Nullable Object details;
    /** Whether equals can be asked about all of it. */
    private final boolean compared;

    private final int hash;

    private SecurityUser(Authentication authentication) {
        this.authentication = authentication;
        this.details = authentication.getDetails();
        this.parts = Arrays.asList(
                authentication.getClass().getName(),
                authentication.getName(),
                authentication.isAuthenticated(),
                rights(authentication.getAuthorities()),
                principal(authentication.getPrincipal()),
                authentication.getCredentials());
        this.compared = isCompared(authentication, 0) && isCompared(parts, 0) && isCompared(details, 0);
        this.hash = String.valueOf(authentication.getName()).hashCode();
    }

    public static @Nullable Object of(@Nullable Authentication authentication) {
        if (authentication == null) {
            return null;
        }
        return authentication.getClass() == AnonymousAuthenticationToken.class
                ? new Anonymous(authentication.getPrincipal(), rights(authentication.getAuthorities()))
                : new SecurityUser(authentication);
    }

    /** In one order, and without their hashes, which may look up the address of a URL. */
    private static List<Object> rights(Collection<? extends GrantedAuthority> authorities) {
        return authorities.stream()
                .map(SecurityUser::right)
                .sorted(Comparator.comparing(String::valueOf))
                .toList();
    }

    /**
     * The moment of a login is another one in each request of an application in which each request logs in, by a token or a password. It counts in steps: so
     * requests of the same time are of the same user, and a login of long ago is not taken for one of now.
     */
    private static Object right(GrantedAuthority authority) {
        String type = authority.getClass().getName();
        if (type.equals(FACTOR) && !NativeDetector.inNativeImage()) {
            Object moment =
                    PropertyAccessorFactory.forBeanPropertyAccess(authority).getPropertyValue("issuedAt");
            long second = moment instanceof Instant instant ? instant.getEpochSecond() : 0;
            return Arrays.asList(authority.getAuthority(), second / FACTOR_STEP_SECONDS);
        }
        return type.equals(SECURITY + "core.authority.SimpleGrantedAuthority") ? authority.getAuthority() : authority;
    }

    /** The equals of Spring Security's looks at the name only. */
    private static @Nullable Object principal(@Nullable Object principal) {
        return principal != null && principal.getClass() == User.class && principal instanceof User user
                ? Arrays.asList(
                        user.getUsername(),
                        user.getPassword(),
                        user.isEnabled(),
                        user.isAccountNonExpired(),
                        user.isCredentialsNonExpired(),
                        user.isAccountNonLocked(),
                        rights(user.getAuthorities()))
                : principal;
    }

    private static boolean isCompared(@Nullable Object part, int depth) {
        if (part == null) {
            return true;
        }
        if (!COMPARES_ALL.get(part.getClass())) {
            tell(part.getClass());
            return false;
        }
        List<Object> elements = new ArrayList<>();
        if (part instanceof Map<?, ?> map) {
            elements.addAll(map.keySet());
            elements.addAll(map.values());
        } else if (part instanceof Collection<?> collection) {
            elements.addAll(collection);
        }
        return depth < KeyForms.DEEPEST && elements.stream().allMatch(element -> isCompared(element, depth + 1));
    }

    private static void tell(Class<?> type) {
        if (TOLD.get(type).compareAndSet(false, true)) {
            logger.warn("Calls of users with a " + type.getName() + " share with no others, because its class has no"
                    + " equals of its own that compares all it holds. Give it one; or set acrossUsers = true, and say by a"
                    + " CallerIdentity bean what counts.");
        }
    }

    /** Claims of OAuth 2 hold URLs, of which equals asks for the address. */
    private static boolean comparesAll(Class<?> type) {
        String name = type.getName();
        if (SEEN.contains(name) || name.startsWith("java.")) {
            return ArgumentEquality.isComparedType(type);
        }
        return Enum.class.isAssignableFrom(type)
                || (ArgumentEquality.comparing(type) == type && !name.startsWith(SECURITY + "oauth2."));
    }

    Authentication authentication() {
        return authentication;
    }

    /** What counts of the user for other instances: the web's details do not. */
    List<@Nullable Object> partsForOthers() {
        boolean ofTheWeb = details != null && details.getClass().getName().equals(OF_THE_WEB);
        return Arrays.asList(isSeen() ? parts : authentication, ofTheWeb ? null : details);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this || (other instanceof SecurityUser user && isSame(user));
    }

    private boolean isSame(SecurityUser other) {
        return authentication == other.authentication
                || (compared
                        && other.compared
                        && parts.equals(other.parts)
                        && Objects.equals(details, other.details)
                        && (isSeen() || authentication.equals(other.authentication)));
    }

    private boolean isSeen() {
        return SEEN.contains(authentication.getClass().getName());
    }

    @Override
    public int hashCode() {
        return hash;
    }
}

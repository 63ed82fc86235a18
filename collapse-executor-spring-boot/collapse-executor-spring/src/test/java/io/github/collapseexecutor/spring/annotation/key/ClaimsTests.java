package io.github.collapseexecutor.spring.annotation.key;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.github.collapseexecutor.LoggedEvents;
import io.github.collapseexecutor.spring.annotation.KeyForm;
import java.net.InetAddress;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.OidcUserInfo;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.oauth2.jwt.Jwt;

/** Users who have a token or its claims: on this instance, and as a form for the others. */
class ClaimsTests {

    private static final Instant ISSUED = Instant.parse("2026-01-07T00:00:00Z");

    /** Says that all hosts are one, and counts the questions. */
    private static final class OneHost extends URLStreamHandler {

        // mutable, thread-safe
        final AtomicInteger lookUps = new AtomicInteger();

        @Override
        protected URLConnection openConnection(URL url) {
            throw new AssertionError("nobody asks " + url);
        }

        @Override
        protected InetAddress getHostAddress(URL url) {
            lookUps.incrementAndGet();
            return InetAddress.getLoopbackAddress();
        }
    }

    // immutable
    private final OneHost hosts = new OneHost();

    private static Object form(Object value, KeyForm<?>... beans) throws KeyForms.NoFormException {
        StaticListableBeanFactory factory = new StaticListableBeanFactory();
        for (int i = 0; i < beans.length; i++) {
            factory.addBean("form" + i, beans[i]);
        }
        return new KeyForms(factory.getBeanProvider(ResolvableType.forClass(KeyForm.class))).of(value);
    }

    private static Authentication user(Object principal) {
        return UsernamePasswordAuthenticationToken.authenticated(
                principal, null, AuthorityUtils.createAuthorityList("READ"));
    }

    private static Authentication withDetails(Map<String, Object> claims) {
        UsernamePasswordAuthenticationToken user = UsernamePasswordAuthenticationToken.authenticated(
                "ann", null, AuthorityUtils.createAuthorityList("READ"));
        user.setDetails(new OidcUserInfo(claims));
        return user;
    }

    private static boolean isOneUser(Authentication one, Authentication other) {
        return SecurityUser.of(one).equals(SecurityUser.of(other));
    }

    private static void assertHasNoForm(Authentication user, String type) {
        assertThatThrownBy(() -> form(requireNonNull(SecurityUser.of(user))))
                .isInstanceOf(KeyForms.NoFormException.class)
                .hasMessageContaining(type);
    }

    /** As a login by OpenID Connect makes it: the issuer is a URL. */
    private Authentication oidcUser(String issuer, String nickname) throws Exception {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("sub", "ann");
        claims.put("iss", new URL(null, issuer, hosts));
        claims.put("aud", List.of("shop"));
        OidcIdToken token = new OidcIdToken("token", ISSUED, ISSUED.plusSeconds(60), claims);
        OidcUserInfo info = new OidcUserInfo(Map.of("sub", "ann", "nickname", nickname));
        Set<GrantedAuthority> authorities = new LinkedHashSet<>();
        authorities.add(new OidcUserAuthority(token, info));
        authorities.add(new SimpleGrantedAuthority("SCOPE_openid"));
        return UsernamePasswordAuthenticationToken.authenticated(
                new DefaultOidcUser(authorities, token, info), null, authorities);
    }

    /** Two issuers may have one address, which is all that equals of a URL looks at. */
    @Test
    void aUserWithClaimsIsTheSameAsNoOtherAndOneWarningNamesTheClass() throws Exception {
        URL login = new URL(null, "https://login.example/", hosts);
        URL other = new URL(null, "https://other.example/", hosts);
        assertThat(login).isEqualTo(other);
        try (LoggedEvents warnings = new LoggedEvents(SecurityUser.class, Level.WARN)) {
            Authentication one = withDetails(Map.of("sub", "ann", "iss", login));
            assertThat(isOneUser(one, withDetails(Map.of("sub", "ann", "iss", other))))
                    .isFalse();
            assertThat(isOneUser(one, withDetails(Map.of("sub", "ann", "iss", login))))
                    .isFalse();
            assertThat(isOneUser(one, one)).isTrue();
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains("OidcUserInfo share with no others", "acrossUsers = true", "CallerIdentity");
            assertHasNoForm(one, "OidcUserInfo");
        }
        Authentication oidc = oidcUser("https://login.example/", "annie");
        Authentication equal = oidcUser("https://login.example/", "annie");
        hosts.lookUps.set(0);
        assertThat(isOneUser(oidc, equal)).isFalse();
        assertThat(isOneUser(oidc, oidc)).isTrue();
        assertHasNoForm(oidc, "has no form");
        assertThat(hosts.lookUps).hasValue(0);
    }

    /** As a resource server makes it. */
    private static Jwt jwt(String token, String roles) {
        return Jwt.withTokenValue(token)
                .header("alg", "RS256")
                .claim("sub", "ann")
                .claim("roles", List.of(roles))
                .build();
    }

    @Test
    void callersWithOneTokenAreOneUser() throws Exception {
        Authentication one = user(jwt("one", "READ"));
        assertThat(isOneUser(one, user(jwt("one", "READ")))).isTrue();
        assertThat(isOneUser(one, user(jwt("two", "READ")))).isFalse();
        assertHasNoForm(one, "Jwt has no form");
        KeyForm<Jwt> byToken = KeyForm.of(Jwt.class, Jwt::getTokenValue);
        assertThat(form(SecurityUser.of(one), byToken))
                .isEqualTo(form(SecurityUser.of(user(jwt("one", "READ"))), byToken))
                .isNotEqualTo(form(SecurityUser.of(user(jwt("two", "READ"))), byToken));
    }

    /** A class of the application's that claims of Spring Security cannot hold, but that a principal can be. */
    static final class TenantMap extends HashMap<String, Object> {

        private static final long serialVersionUID = 1L;

        private final String tenant;

        TenantMap(String tenant) {
            this.tenant = tenant;
        }

        @Override
        public String toString() {
            return tenant;
        }
    }

    @Test
    void aMapThatIsThePrincipalMayHoldMoreThanItsEntries() {
        assertThat(isOneUser(user(new TenantMap("one")), user(new TenantMap("two"))))
                .isFalse();
        assertHasNoForm(user(new TenantMap("one")), "TenantMap");
    }

    /** Its equals compares the names only. */
    @Test
    void everythingThatAUserOfSpringSecurityHoldsTellsUsersApart() throws Exception {
        User one = new User("ann", "hash", AuthorityUtils.createAuthorityList("READ"));
        User other = new User("ann", "hash", AuthorityUtils.createAuthorityList("READ", "WRITE"));
        assertThat(one).isEqualTo(other);
        assertThat(isOneUser(user(one), user(other))).isFalse();
        assertThat(form(SecurityUser.of(user(one)))).isNotEqualTo(form(SecurityUser.of(user(other))));
        Authentication same = user(new User("ann", "hash", AuthorityUtils.createAuthorityList("READ")));
        assertThat(isOneUser(user(one), same)).isTrue();
        assertThat(form(SecurityUser.of(user(one)))).isEqualTo(form(SecurityUser.of(same)));
    }

    @Test
    void aPrincipalThatContainsItselfIsNobodys() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        List<Object> other = new ArrayList<>();
        other.add(other);
        Authentication one = new TestingAuthenticationToken("ann", null);
        ((TestingAuthenticationToken) one).setDetails(endless);
        TestingAuthenticationToken two = new TestingAuthenticationToken("ann", null);
        two.setDetails(other);
        assertThat(isOneUser(one, two)).isFalse();
        assertHasNoForm(one, "nested");
    }
}

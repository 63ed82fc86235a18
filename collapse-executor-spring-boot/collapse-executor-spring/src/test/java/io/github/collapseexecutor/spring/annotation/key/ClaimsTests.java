package io.github.collapseexecutor.spring.annotation.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
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

/** Users who have the claims of a token: on this instance, and as a text for the others. */
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

    private static String text(Object value) throws KeyText.NoTextException {
        StaticListableBeanFactory none = new StaticListableBeanFactory();
        KeyForms forms = new KeyForms(none.getBeanProvider(ResolvableType.forClass(KeyForm.class)));
        return new KeyText(forms).part(value).toString();
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

    private static void assertSame(Authentication one, Authentication other) throws Exception {
        assertThat(isOneUser(one, other)).isTrue();
        assertThat(text(one)).isEqualTo(text(other));
    }

    private static void assertApart(Authentication one, Authentication other) throws Exception {
        assertThat(isOneUser(one, other)).isFalse();
        assertThat(text(one)).isNotEqualTo(text(other));
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

    @Test
    void anOidcUserIsOneUserWithoutALookUpOfItsIssuer() throws Exception {
        Authentication one = oidcUser("https://login.example/", "annie");
        Authentication other = oidcUser("https://login.example/", "annie");
        hosts.lookUps.set(0);
        assertThat(isOneUser(one, other)).isTrue();
        assertThat(hosts.lookUps).hasValue(0);
        assertSame(one, other);
    }

    @Test
    void issuersAreComparedByTheirTextsAndNotByTheirAddresses() throws Exception {
        URL login = new URL(null, "https://login.example/", hosts);
        URL other = new URL(null, "https://other.example/", hosts);
        assertThat(login).isEqualTo(other);
        assertApart(withDetails(Map.of("sub", "ann", "iss", login)), withDetails(Map.of("sub", "ann", "iss", other)));
    }

    @Test
    void claimsOfTheUserInfoTellUsersApart() throws Exception {
        assertApart(oidcUser("https://login.example/", "annie"), oidcUser("https://login.example/", "ann"));
    }

    /** As a resource server makes it. */
    private static Jwt jwt(String json) throws Exception {
        return Jwt.withTokenValue("token")
                .header("alg", "RS256")
                .claims(claims -> claims.putAll(parsed(json)))
                .build();
    }

    private static Map<String, Object> parsed(String json) {
        try {
            return JWTClaimsSet.parse(json).getClaims();
        } catch (java.text.ParseException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void objectsAndListsInClaimsHaveAText() throws Exception {
        String json = """
                {"sub": "ann", "realm_access": {"roles": ["READ", "WRITE"], "level": 3}}""";
        assertThat(parsed(json).get("realm_access").getClass().getName()).startsWith("com.nimbusds.");
        assertSame(user(jwt(json)), user(jwt("""
                {"realm_access": {"level": 3, "roles": ["READ", "WRITE"]}, "sub": "ann"}""")));
        for (String other : List.of("""
                {"sub": "ann", "realm_access": {"roles": ["READ"], "level": 3}}""", """
                {"sub": "ann", "realm_access": {"roles": ["READ", "WRITE"], "level": "3"}}""", """
                {"sub": "ann", "realm_access": {"roles": ["READ", "WRITE"]}}""", """
                {"sub": "ann", "realm_access": [{"roles": ["READ", "WRITE"], "level": 3}]}""", """
                {"sub": "ann", "realm_access": null}""")) {
            assertApart(user(jwt(json)), user(jwt(other)));
        }
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
        assertThatThrownBy(() -> text(user(new TenantMap("one")))).isInstanceOf(KeyText.NoTextException.class);
    }

    /** Its equals compares the names only. */
    @Test
    void everythingThatAUserOfSpringSecurityHoldsTellsUsersApart() throws Exception {
        User one = new User("ann", "hash", AuthorityUtils.createAuthorityList("READ"));
        User other = new User("ann", "hash", AuthorityUtils.createAuthorityList("READ", "WRITE"));
        assertThat(one).isEqualTo(other);
        assertApart(user(one), user(other));
        assertSame(user(one), user(new User("ann", "hash", AuthorityUtils.createAuthorityList("READ"))));
    }

    @Test
    void aClaimThatContainsItselfIsNobodysClaim() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        List<Object> other = new ArrayList<>();
        other.add(other);
        Authentication one = withDetails(Map.of("sub", endless));
        assertThat(isOneUser(one, withDetails(Map.of("sub", other)))).isFalse();
        assertThatThrownBy(() -> text(one)).isInstanceOf(KeyText.NoTextException.class);
    }
}

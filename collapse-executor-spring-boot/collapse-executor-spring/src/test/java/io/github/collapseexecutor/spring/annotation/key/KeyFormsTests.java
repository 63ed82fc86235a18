package io.github.collapseexecutor.spring.annotation.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.spring.annotation.KeyForm;
import java.io.Serializable;
import java.math.BigDecimal;
import java.net.URI;
import java.security.Principal;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.authentication.switchuser.SwitchUserGrantedAuthority;

/** Which objects have a text, and that no two different ones have the same. */
class KeyFormsTests {

    record Line(String product, int count) {}

    record Same(String product, int count) {}

    record Pair(Object first, Object second) {}

    private static KeyForms forms(KeyForm<?>... beans) {
        StaticListableBeanFactory factory = new StaticListableBeanFactory();
        for (int i = 0; i < beans.length; i++) {
            factory.addBean("form" + i, beans[i]);
        }
        return new KeyForms(factory.getBeanProvider(ResolvableType.forClass(KeyForm.class)));
    }

    private static Object form(Object value, KeyForm<?>... beans) throws KeyForms.NoFormException {
        return forms(beans).of(value instanceof Authentication user ? SecurityUser.of(user) : value);
    }

    /** Each is another value than every other. */
    static List<Object> different() {
        List<Object> values = new ArrayList<>(Arrays.asList(
                "",
                "7",
                7,
                7L,
                (short) 7,
                (byte) 7,
                '7',
                7.0,
                7.0f,
                new BigDecimal("7"),
                new BigDecimal("7.0"),
                true,
                UUID.fromString("00000000-0000-0000-0000-000000000007"),
                URI.create("7"),
                LocalDate.of(2026, 1, 7),
                ZonedDateTime.parse("2026-01-07T00:00:00+01:00[Europe/Paris]"),
                ZonedDateTime.parse("2026-01-07T00:00:00+01:00"),
                TimeUnit.DAYS,
                Locale.ROOT,
                Locale.forLanguageTag("de-CH"),
                Locale.forLanguageTag("de-CH-u-co-phonebk"),
                new Line("a", 1),
                new Same("a", 1),
                new Line("a", 2),
                List.of(),
                List.of("a", "b"),
                List.of("ab"),
                List.of("a,b"),
                List.of(List.of("a"), "b"),
                List.of(List.of("a", "b")),
                List.of("1:a", "b"),
                Arrays.asList("a", null),
                new String[] {"a", "b"},
                new Object[] {"a", "b"},
                new int[] {7},
                new long[] {7},
                Set.of(),
                Set.of("a", "b"),
                Set.of("ab"),
                Map.of(),
                Map.of("a", "b"),
                Map.of("b", "a"),
                Optional.empty(),
                Optional.of("7"),
                new Pair("a", List.of("b")),
                new Pair(List.of("a"), "b")));
        users().forEach(user -> values.add(SecurityUser.of(user)));
        return values;
    }

    /** All of one name. */
    private static List<Authentication> users() {
        List<Authentication> users = new ArrayList<>();
        users.add(UsernamePasswordAuthenticationToken.unauthenticated("ann", null));
        users.add(user("ann", null));
        users.add(user("ann", "token 1"));
        users.add(user("ann", "token 2"));
        users.add(user("ann", null, "READ"));
        users.add(user("ann", null, "READ", "WRITE"));
        users.add(user("ann", null, "READ,WRITE"));
        users.add(user(new User("ann", "", AuthorityUtils.NO_AUTHORITIES), null));
        users.add(user(new User("ann", "hash", AuthorityUtils.NO_AUTHORITIES), null));
        users.add(user(new User("ann", "", false, true, true, true, AuthorityUtils.NO_AUTHORITIES), null));
        users.add(user(new User("ann", "", AuthorityUtils.createAuthorityList("READ")), null));
        users.add(new TestingAuthenticationToken("ann", null));
        for (String address : List.of("10.0.0.1", "10.0.0.2")) {
            UsernamePasswordAuthenticationToken user = user("ann", null);
            user.setDetails(address);
            users.add(user);
        }
        return users;
    }

    private static UsernamePasswordAuthenticationToken user(
            Object principal, Object credentials, String... authorities) {
        return UsernamePasswordAuthenticationToken.authenticated(
                principal, credentials, AuthorityUtils.createAuthorityList(authorities));
    }

    @Test
    void noTwoDifferentValuesHaveOneForm() throws Exception {
        List<Object> values = different();
        for (int i = 0; i < values.size(); i++) {
            for (int j = 0; j < values.size(); j++) {
                // as one of several arguments, too
                assertThat(form(values.get(i)).equals(form(values.get(j)))
                                || form(Arrays.asList(values.get(i), 1)).equals(form(Arrays.asList(values.get(j), 1))))
                        .as("%s and %s", values.get(i), values.get(j))
                        .isEqualTo(i == j);
            }
        }
    }

    @Test
    void equalValuesHaveOneForm() throws Exception {
        assertThat(form(new Line("a", 1))).isEqualTo(form(new Line(new String("a"), 1)));
        assertThat(form(List.of("a", "b"))).isEqualTo(form(new ArrayList<>(List.of("a", "b"))));
        assertThat(form(new LinkedHashSet<>(List.of("a", "b"))))
                .isEqualTo(form(new LinkedHashSet<>(List.of("b", "a"))));
        assertThat(form(new HashSet<>(List.of(1, 2)))).isEqualTo(form(Set.of(2, 1)));
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("b", 2);
        map.put("a", 1);
        assertThat(form(map)).isEqualTo(form(Map.of("a", 1, "b", 2)));
        for (int i = 0; i < users().size(); i++) {
            assertThat(form(users().get(i))).isEqualTo(form(users().get(i)));
        }
    }

    /** A principal with more than a user of Spring Security has. */
    static final class TenantUser extends User {

        private static final long serialVersionUID = 1L;

        private final String tenant;

        TenantUser(String tenant) {
            super("ann", "", AuthorityUtils.NO_AUTHORITIES);
            this.tenant = tenant;
        }
    }

    static final class OwnAuthentication extends UsernamePasswordAuthenticationToken {

        private static final long serialVersionUID = 1L;

        OwnAuthentication() {
            super("ann", null, AuthorityUtils.NO_AUTHORITIES);
        }
    }

    record OwnAuthority(String getAuthority) implements GrantedAuthority {}

    /** What there is of it, nobody knows. */
    static class Own {

        // immutable
        final String text;

        Own(String text) {
            this.text = text;
        }
    }

    static final class TextList extends ArrayList<String> implements Serializable {

        private static final long serialVersionUID = 1L;
    }

    static List<Object> without() {
        UsernamePasswordAuthenticationToken detailed = user("ann", null);
        detailed.setDetails(new Object());
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        return List.of(
                new Object(),
                new Own("a"),
                List.of(new Object()),
                new Object[] {new Object()},
                new Pair("a", new Object()),
                Map.of("a", new Object()),
                new TextList(),
                endless,
                user(new TenantUser("one"), null),
                user("ann", new Object()),
                new OwnAuthentication(),
                detailed,
                user((Principal) () -> "ann", null));
    }

    @ParameterizedTest
    @MethodSource("without")
    void objectsThatMayHoldMoreThanIsSeenHaveNone(Object value) {
        assertThatThrownBy(() -> form(value)).isInstanceOf(KeyForms.NoFormException.class);
    }

    /** The method security has let each of them call. */
    @Test
    void addressAndSessionOfAUserOfTheWebDoNotCount() throws Exception {
        List<Object> forms = new ArrayList<>();
        for (String address : List.of("10.0.0.1", "10.0.0.2")) {
            UsernamePasswordAuthenticationToken user = user("ann", null, "READ");
            user.setDetails(new WebAuthenticationDetails(address, "session of " + address));
            forms.add(form(user));
        }
        assertThat(forms.get(0)).isEqualTo(forms.get(1));
        assertThat(SecurityUser.of(user("ann", null))).isNotEqualTo(SecurityUser.of(user("ann", null, "READ")));
    }

    /** Two who have switched to one user have one name and the same rights. */
    @Test
    void aUserThatAnotherHasSwitchedToHasNone() {
        Authentication user = UsernamePasswordAuthenticationToken.authenticated(
                "ann", null, List.of(new SwitchUserGrantedAuthority("PREVIOUS", user("bob", null))));
        assertThatThrownBy(() -> form(user))
                .isInstanceOf(KeyForms.NoFormException.class)
                .hasMessageContaining("SwitchUserGrantedAuthority has no form");
    }

    @Test
    void aBeanGivesTheTextOfAnObjectAndOfPartsOfAUser() throws Exception {
        KeyForm<TenantUser> form = KeyForm.of(TenantUser.class, user -> user.getUsername() + "/" + user.tenant);
        assertThat(form(user(new TenantUser("one"), null), form))
                .isEqualTo(form(user(new TenantUser("one"), null), form))
                .isNotEqualTo(form(user(new TenantUser("two"), null), form))
                .isNotEqualTo(form(user(new TenantUser("one"), null, "READ"), form));
        KeyForm<Authentication> ofUser = KeyForm.of(Authentication.class, Authentication::getName);
        assertThat(form(new OwnAuthentication(), ofUser)).isEqualTo(form(user("ann", "token"), ofUser));
    }

    @Test
    void aBeanThatGivesNoTextOrFailsLeavesTheObjectWithout() {
        assertThatThrownBy(() -> form("a", KeyForm.of(String.class, value -> null)))
                .isInstanceOf(KeyForms.NoFormException.class)
                .hasMessage("the KeyForm of a java.lang.String returned null");
        assertThatThrownBy(() -> form("a", KeyForm.of(String.class, value -> {
                    throw new IllegalStateException("broken");
                })))
                .isInstanceOf(KeyForms.NoFormException.class)
                .hasRootCauseMessage("broken");
    }

    @Test
    void aTextOfABeanIsNoTextOfAnotherType() throws Exception {
        KeyForm<Own> first = KeyForm.of(Own.class, own -> own.text);
        KeyForm<TextList> second = KeyForm.of(TextList.class, list -> "a");
        assertThat(form(new Own("a"), first, second))
                .isNotEqualTo(form(new TextList(), first, second))
                .isNotEqualTo(form("a"));
    }

    @Test
    void authoritiesOfTheApplicationsOwnThatAreRecordsAreSeen() throws Exception {
        Authentication one =
                UsernamePasswordAuthenticationToken.authenticated("ann", null, List.of(new OwnAuthority("READ")));
        Authentication two = UsernamePasswordAuthenticationToken.authenticated(
                "ann", null, List.of(new SimpleGrantedAuthority("READ")));
        assertThat(form(one)).isNotEqualTo(form(two));
    }
}

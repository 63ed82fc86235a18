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
import java.util.HashMap;
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

/** Which objects have a text, and that no two different ones have the same. */
class KeyTextTests {

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

    private static String text(Object value, KeyForm<?>... beans) throws KeyText.NoTextException {
        return new KeyText(forms(beans)).part(value).toString();
    }

    /** Each is another value than every other. */
    static List<Object> different() {
        List<Object> values = new ArrayList<>(Arrays.asList(
                null,
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
        values.addAll(users());
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
    void noTwoDifferentValuesHaveOneText() throws Exception {
        Map<String, Object> byText = new HashMap<>();
        for (Object value : different()) {
            String text = text(value);
            assertThat(byText).doesNotContainKey(text);
            byText.put(text, value);
            // as one of several arguments, too
            for (Object other : different()) {
                assertThat(text(Arrays.asList(value, other)).equals(text(Arrays.asList(other, value))))
                        .isEqualTo(text(value).equals(text(other)));
            }
        }
    }

    @Test
    void equalValuesHaveOneText() throws Exception {
        assertThat(text(new Line("a", 1))).isEqualTo(text(new Line(new String("a"), 1)));
        assertThat(text(List.of("a", "b"))).isEqualTo(text(new ArrayList<>(List.of("a", "b"))));
        assertThat(text(new LinkedHashSet<>(List.of("a", "b"))))
                .isEqualTo(text(new LinkedHashSet<>(List.of("b", "a"))));
        assertThat(text(new HashSet<>(List.of(1, 2)))).isEqualTo(text(Set.of(2, 1)));
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("b", 2);
        map.put("a", 1);
        assertThat(text(map)).isEqualTo(text(Map.of("a", 1, "b", 2)));
        for (int i = 0; i < users().size(); i++) {
            assertThat(text(users().get(i))).isEqualTo(text(users().get(i)));
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
                List.of(new String[] {"a"}, 1),
                List.of(new Object()),
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
        assertThatThrownBy(() -> text(value)).isInstanceOf(KeyText.NoTextException.class);
    }

    @Test
    void aBeanGivesTheTextOfAnObjectAndOfPartsOfAUser() throws Exception {
        KeyForm<TenantUser> form = KeyForm.of(TenantUser.class, user -> user.getUsername() + "/" + user.tenant);
        assertThat(text(user(new TenantUser("one"), null), form))
                .isEqualTo(text(user(new TenantUser("one"), null), form))
                .isNotEqualTo(text(user(new TenantUser("two"), null), form))
                .isNotEqualTo(text(user(new TenantUser("one"), null, "READ"), form));
        KeyForm<Authentication> ofUser = KeyForm.of(Authentication.class, Authentication::getName);
        assertThat(text(new OwnAuthentication(), ofUser)).isEqualTo(text(user("ann", "token"), ofUser));
    }

    @Test
    void aBeanThatGivesNoTextOrFailsLeavesTheObjectWithout() {
        assertThatThrownBy(() -> text("a", KeyForm.of(String.class, value -> null)))
                .isInstanceOf(KeyText.NoTextException.class)
                .hasMessage("the KeyForm of a java.lang.String returned null");
        assertThatThrownBy(() -> text("a", KeyForm.of(String.class, value -> {
                    throw new IllegalStateException("broken");
                })))
                .isInstanceOf(KeyText.NoTextException.class)
                .hasRootCauseMessage("broken");
    }

    @Test
    void aTextOfABeanIsNoTextOfAnotherType() throws Exception {
        KeyForm<Own> first = KeyForm.of(Own.class, own -> own.text);
        KeyForm<TextList> second = KeyForm.of(TextList.class, list -> "a");
        assertThat(text(new Own("a"), first, second))
                .isNotEqualTo(text(new TextList(), first, second))
                .isNotEqualTo(text("a"));
    }

    @Test
    void authoritiesOfTheApplicationsOwnThatAreRecordsAreSeen() throws Exception {
        Authentication one =
                UsernamePasswordAuthenticationToken.authenticated("ann", null, List.of(new OwnAuthority("READ")));
        Authentication two = UsernamePasswordAuthenticationToken.authenticated(
                "ann", null, List.of(new SimpleGrantedAuthority("READ")));
        assertThat(text(one)).isNotEqualTo(text(two));
    }
}

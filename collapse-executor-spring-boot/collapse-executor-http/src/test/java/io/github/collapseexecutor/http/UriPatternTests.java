package io.github.collapseexecutor.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UriPatternTests {

    @ParameterizedTest
    @CsvSource({
        "/user/*, /user/2",
        "/user/*, /user/%C3%A9",
        "/user/*, /user/2;v=1",
        "/user/*, /user/./2",
        "/user/*, /test/../user/2",
        "/user/2/, /user/1/../2/",
        "/user/2/, /user/2/3/..",
        "/test/noop*, /test/noop",
        "/test/noop*, /test/noop100",
        "/a?c, /abc",
        "/a?c, /a%F0%9F%98%80c",
        "/*a*b*, /xaxxbx",
        "/**, /",
        "/**, /a/b/c/",
        "/user/**, /user",
        "/user/**, /user/",
        "/user/**, /user/2/orders",
        "/**/orders, /orders",
        "/**/orders, /user/2/orders",
        "/a/**/b/**/c, /a/b/b/x/c",
        "/user/{id}, /user/2",
        "/user/{user-id}/orders, /user/2/orders",
        "/, /",
        "regex:/user/\\d+, /user/22",
        "regex:/(a|b)/.*, /b/c/d",
        "/caf\u00e9, /caf%C3%A9",
        "/a b, /a%20b",
        "/100%, /100%25",
    })
    void H13_aPatternMatchesTheNormalisedDecodedPath(String pattern, String path) {
        assertThat(UriPattern.parse(pattern).matches(path)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/user/*, /user",
        "/user/*, /user/",
        "/user/*, /user/2/3",
        "/user/*, /user/2/",
        "/user/*, /User/2",
        "/user/{id}, /user/",
        "/test/noop*, /test/noop/1",
        "/a?c, /ac",
        "/a?c, /a/c",
        "/*a*b, /xbxa",
        "/user/**, /users",
        "/a/**/c, /a/b/d",
        "/a, /a/",
        "/, /a",
        "regex:/user/\\d+, /user/2/3",
        "regex:/user, /user/2",
    })
    void H13_aPatternMatchesNothingElse(String pattern, String path) {
        assertThat(UriPattern.parse(pattern).matches(path)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/user/%2e%2e/admin",
                "/user/%2E/admin",
                "/user/..;/admin",
                "/user/..;x=1/admin",
                "/user/.;/admin",
                "/user/%252e%252e/admin",
                "/user%2Fadmin",
                "/user%5cadmin",
                "/user\\admin",
                "/user//admin",
                "/user/;x/admin",
                "/user/;x",
                "/../user",
                "/user/../../admin",
                "/user/%00",
                "/user/%zz",
                "/user/%4",
                "/user/%C3",
                "/user/%C0%AE%C0%AE",
                "user",
                "*",
            })
    void H13_aPathThatServersReadDifferentlyMatchesNothing(String path) {
        assertThat(UriPattern.parse("/**").matches(path)).isFalse();
        assertThat(UriPattern.parse("regex:.*").matches(path)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "//users.example/user/*, http://users.example/user/2",
        "//users.example/user/*, https://users.example:8443/user/2?x",
        "//Users.Example/user/*, http://USERS.example/user/2",
        "//users.example:443/**, https://users.example/user",
        "//users.example:8080/**, http://users.example:8080",
        "//*.example/**, http://users.example/",
        "//user?.exam*.org/**, http://users.example.org/",
        "//10.0.0.7/**, http://10.0.0.7/a",
        "//[::1]:8080/**, 'http://[::1]:8080/a'",
        "//[FE80::1]/**, 'http://[fe80::1]/a'",
        "//user_service/**, http://user_service/a",
        "//user_service:81/**, http://user_service:81/a",
        "//user_service:80/**, http://user_service/a",
        "/user/*, http://users.example/user/2",
    })
    void H13_aPatternThatNamesAHostMatchesAtThisHostOnly(String pattern, URI uri) {
        assertThat(UriPattern.parse(pattern).matches(uri)).isTrue();
        if (pattern.startsWith("//")) {
            assertThat(UriPattern.parse(pattern).matches(uri.getRawPath())).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "//users.example/user/*, http://stock.example/user/2",
        "//users.example/user/*, http://users.example/stock/2",
        "//users.example/user/*, http://users.example.org/user/2",
        "//users.example/user/*, http://eu.users.example/user/2",
        "//users.example/user/*, 'http://users.example./user/2'",
        "//users.example/user/*, /user/2",
        "//users.example:443/**, http://users.example/user",
        "//users.example:8080/**, http://users.example/user",
        "//*.example/**, http://eu.users.example/",
        "//*.example/**, http://example/",
        "//*/**, http://users.example/",
        "//*/**, 'http://[::1]/'",
        "//[::1]/**, 'http://[::2]/'",
        "//user_service:81/**, http://user_service/a",
        "//user_service/**, http://x_user_service/a",
    })
    void H13_aPatternThatNamesAHostMatchesNowhereElse(String pattern, URI uri) {
        assertThat(UriPattern.parse(pattern).matches(uri)).isFalse();
    }

    @Test
    void H13_anEmptyPathIsTheRoot() {
        assertThat(UriPattern.parse("/").matches("")).isTrue();
    }

    @Test
    void matchingTakesNoLongerForPatternsOfManyStars() {
        String path = "/" + "a".repeat(5_000) + "/a".repeat(5_000);
        assertThat(UriPattern.parse("/*a*a*a*a*a*a*b/**/a/**/a/**/b").matches(path))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "\"\", 0, starts with '/'",
                "user, 0, starts with '/'",
                "http://a/b, 0, starts with '/'",
                "/a//b, 3, empty segment",
                "/a/../b, 3, matches nothing",
                "/a/./b, 3, matches nothing",
                "/a**, 2, '**' stands alone",
                "/a/***, 3, '**' stands alone",
                "/a/{id, 3, not closed",
                "/a/{id}s, 7, stands alone",
                "/a/x{id}, 4, stands alone",
                "/a/id}, 5, stands alone",
                "/a/{}, 3, is missing",
                "/a/{*rest}, 4, letters",
                "/a/{id:\\d+}, 6, letters",
                "/a\\b, 2, backslash",
                "/a;b, 2, cut off",
                "/a%20b, 2, decoded",
                "//, 2, the path is missing",
                "//users.example, 15, the path is missing",
                "///user, 2, empty label",
                "//users..example/a, 2, empty label",
                "//user@users.example/a, 2, no label",
                "//{host}/a, 2, no label",
                "//**.example/a, 2, no label",
                "//us\u00e9rs.example/a, 2, no label",
                "//users.example:/a, 2, no port",
                "//users.example:0/a, 2, no port",
                "//users.example:65536/a, 2, no port",
                "//users.example:*/a, 2, no port",
                "//[::1/a, 2, no address of IPv6",
                "//users.example//a, 16, empty segment",
                "regex:, 6, is missing",
                "regex:/(, 8, ",
            })
    void anErrorSaysWhereItIsAndWhatIsAllowed(String pattern, int index, @Nullable String problem) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UriPattern.parse(pattern))
                .withMessageContaining("'" + pattern + "'")
                .withMessageContaining("at index " + index + ",")
                .withMessageContaining(problem == null ? "" : problem)
                .withMessageContaining("allowed are '?'");
    }

    @Test
    void aPatternShowsItsSource() {
        assertThat(UriPattern.parse("/a/*")).hasToString("/a/*");
    }

    @ParameterizedTest
    @CsvSource({
        "/user/*, /user/2",
        "/user/*, /user/*",
        "/user/*, /user/{id}",
        "/user/{id}, /user/*",
        "/user/*, /user/a*",
        "/user/**, /user",
        "/user/**, /user/*",
        "/user/**, /user/*/orders",
        "/user/**, /user/**",
        "/**, /user/**",
        "/**, /",
        "/**/orders, /user/2/orders",
        "/**/orders, /**/orders",
        "/a/**/b, /a/x/b",
        "/a?c, /abc",
        "/a*, /abc",
        "regex:/a+, regex:/a+",
        "/user/*, //users.example/user/*",
        "//users.example/user/*, //Users.example/user/2",
        "//users.example/**, //users.example:8080/**",
        "//*.example/**, //users.example/a",
    })
    void aPatternCoversAnotherIfItMatchesAllThatTheOtherDoes(String first, String later) {
        assertThat(UriPattern.parse(first).covers(UriPattern.parse(later))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/user/2, /user/*",
        "/user/a*, /user/*",
        "/user/*, /user",
        "/user/*, /user/*/orders",
        "/user/*, /user/**",
        "/user/*, /test/*",
        "/user/**, /**",
        "/**/orders, /**",
        "/a/**/b, /a/**",
        "/a?c, /a*c",
        "/a*, /a?", // it does, but two wildcards within a segment are not compared
        "/User/*, /user/*",
        "regex:/.*, /user",
        "/**, regex:/user",
        "//users.example/user/*, /user/*",
        "//users.example/user/*, //stock.example/user/*",
        "//users.example:8080/**, //users.example/**",
        "//users.example/**, //*.example/**",
        "//*.example/**, //*.users.example/**",
    })
    void aPatternDoesNotCoverWhatMatchesMoreOrCannotBeCompared(String first, String later) {
        assertThat(UriPattern.parse(first).covers(UriPattern.parse(later))).isFalse();
    }
}

package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Headers of all kinds. */
final class HeaderCases {

    private HeaderCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> plain = gets(
                "/header/",
                "several-values",
                "replaced",
                "removed",
                "empty-value",
                "odd-names",
                "non-ascii",
                "long",
                "many",
                "numbers-and-dates",
                "own-date",
                "own-server",
                "connection-close",
                "hop-by-hop",
                "link",
                "location",
                "type-by-header",
                "length-by-header",
                "after-output",
                "after-flush",
                "vary/Accept",
                "vary/Accept,%20Accept-Encoding",
                "vary/User-Agent",
                "vary/*",
                "cookie",
                "cookies",
                "cookie-of-spring",
                "set-cookie-header",
                "cache/public",
                "cache/private",
                "cache/no-store",
                "cache/no-cache",
                "cache/stale",
                "cache/zero",
                "security",
                "warning",
                "clear-site-data");
        Stream<MvcCase> others = Stream.of(
                head("/header/several-values"),
                head("/header/cookies"),
                get("/header/vary/User-Agent").with("User-Agent", "own/1.0"),
                get("/header/vary/Accept").with("Accept", "text/plain"),
                get("/header/echo").with("X-Own", "1").with("X-Own", "2"),
                get("/header/echo").with("X-Own", ""),
                get("/header/echo").with("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
                get("/header/echo").with("X-Forwarded-For", "10.0.0.1").with("Forwarded", "host=example.org"));
        return Stream.concat(plain, others);
    }

    @RestController
    static class Handlers {

        @GetMapping("/header/several-values")
        ResponseEntity<String> severalValues() {
            return ResponseEntity.ok()
                    .header("X-Own", "1", "2")
                    .header("Allow", "GET")
                    .header("X-Own", "3")
                    .body("text");
        }

        @GetMapping("/header/replaced")
        void replaced(HttpServletResponse response) throws IOException {
            response.addHeader("X-Own", "1");
            response.addHeader("X-Own", "2");
            response.setHeader("x-own", "3");
            response.getWriter().print(response.getHeader("X-OWN"));
            response.getWriter().print(response.getHeaders("X-Own"));
            response.getWriter().print(response.containsHeader("x-OWN"));
        }

        @GetMapping("/header/removed")
        void removed(HttpServletResponse response) throws IOException {
            response.setHeader("X-Kept", "1");
            response.setHeader("X-Own", "1");
            response.setHeader("X-Own", null);
            response.setContentType("text/css");
            response.setContentType(null);
            response.getOutputStream().print("text");
        }

        @GetMapping("/header/empty-value")
        void emptyValue(HttpServletResponse response) {
            response.setHeader("X-Empty", "");
            response.addHeader("X-Empty", " ");
        }

        @GetMapping("/header/odd-names")
        void oddNames(HttpServletResponse response) {
            response.setHeader("x-lower", "1");
            response.setHeader("X_Under", "2");
            response.setHeader("X.Dot!", "3");
            response.setHeader("ETag", "\"e\"");
        }

        @GetMapping("/header/non-ascii")
        void nonAscii(HttpServletResponse response) {
            response.setHeader("X-Own", "gr\u00fc\u00df");
        }

        @GetMapping("/header/long")
        void longValue(HttpServletResponse response) {
            response.setHeader("X-Own", "x".repeat(4_000));
        }

        @GetMapping("/header/many")
        void many(HttpServletResponse response) {
            for (int i = 0; i < 90; i++) {
                response.addHeader("X-Own-" + i % 45, Integer.toString(i));
            }
        }

        @GetMapping("/header/numbers-and-dates")
        void numbersAndDates(HttpServletResponse response) {
            response.setIntHeader("X-Number", 7);
            response.addIntHeader("X-Number", 8);
            response.setDateHeader("Expires", MvcFiles.CHANGED.toEpochMilli());
            response.addDateHeader("X-Then", 0);
        }

        @GetMapping("/header/own-date")
        void ownDate(HttpServletResponse response) {
            response.setHeader("X-Before", "1");
            response.setDateHeader("Date", MvcFiles.CHANGED.toEpochMilli());
            response.setHeader("X-After", "1");
        }

        @GetMapping("/header/own-server")
        void ownServer(HttpServletResponse response) {
            response.setHeader("Server", "own");
        }

        @GetMapping("/header/connection-close")
        void connectionClose(HttpServletResponse response) throws IOException {
            response.setHeader("Connection", "close");
            response.getOutputStream().print("text");
        }

        @GetMapping("/header/hop-by-hop")
        void hopByHop(HttpServletResponse response) throws IOException {
            response.setHeader("Keep-Alive", "timeout=7");
            response.setHeader("Proxy-Connection", "keep-alive");
            response.getOutputStream().print("text");
        }

        @GetMapping("/header/link")
        ResponseEntity<Void> link() {
            return ResponseEntity.ok()
                    .header(HttpHeaders.LINK, "</a>; rel=next", "</b>; rel=prev")
                    .build();
        }

        @GetMapping("/header/location")
        ResponseEntity<Void> location() {
            return ResponseEntity.status(308)
                    .header(HttpHeaders.LOCATION, "/\u00fc?a=b c")
                    .build();
        }

        @GetMapping("/header/type-by-header")
        void typeByHeader(HttpServletResponse response) throws IOException {
            response.setHeader("Content-Type", "text/css;charset=utf-8");
            response.getWriter().write("\u00fc " + response.getContentType());
        }

        @GetMapping("/header/length-by-header")
        void lengthByHeader(HttpServletResponse response) throws IOException {
            response.setHeader("Content-Length", "4");
            response.getOutputStream().print("text");
        }

        @GetMapping("/header/after-output")
        void afterOutput(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("text");
            response.setHeader("X-After", "1");
            response.setStatus(203);
        }

        @GetMapping("/header/after-flush")
        void afterFlush(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("text");
            response.flushBuffer();
            response.setHeader("X-After", "1");
            response.setStatus(203);
        }

        @GetMapping("/header/vary/{names}")
        ResponseEntity<String> vary(@PathVariable String names, HttpServletRequest request) {
            return ResponseEntity.ok().varyBy(names).body("for " + request.getHeader(names));
        }

        @GetMapping("/header/cookie")
        void cookie(HttpServletResponse response) {
            Cookie cookie = new Cookie("own", "value");
            cookie.setPath("/");
            cookie.setHttpOnly(true);
            cookie.setAttribute("SameSite", "Lax");
            response.addCookie(cookie);
        }

        @GetMapping("/header/cookies")
        void cookies(HttpServletResponse response) throws IOException {
            response.addCookie(new Cookie("a", "1"));
            response.addCookie(new Cookie("b", "2"));
            response.addHeader("Set-Cookie", "c=3; Secure");
            response.getWriter().write("text");
        }

        @GetMapping("/header/cookie-of-spring")
        ResponseEntity<String> cookieOfSpring() {
            ResponseCookie cookie = ResponseCookie.from("own", "value")
                    .secure(true)
                    .sameSite("Strict")
                    .build();
            return ResponseEntity.ok()
                    .header(HttpHeaders.SET_COOKIE, cookie.toString())
                    .body("text");
        }

        @GetMapping("/header/set-cookie-header")
        void setCookieHeader(HttpServletResponse response) {
            response.setHeader("Set-Cookie", "own=value");
        }

        @GetMapping("/header/cache/{kind}")
        ResponseEntity<String> cache(@PathVariable String kind) {
            CacheControl control = switch (kind) {
                case "public" -> CacheControl.maxAge(Duration.ofHours(1)).cachePublic();
                case "private" -> CacheControl.maxAge(Duration.ofHours(1)).cachePrivate();
                case "no-store" -> CacheControl.noStore();
                case "no-cache" -> CacheControl.noCache();
                case "stale" ->
                    CacheControl.maxAge(Duration.ofSeconds(1))
                            .staleWhileRevalidate(Duration.ofSeconds(9))
                            .sMaxAge(Duration.ofSeconds(5));
                default -> CacheControl.maxAge(Duration.ZERO);
            };
            return ResponseEntity.ok().cacheControl(control).body(kind);
        }

        @GetMapping("/header/security")
        ResponseEntity<String> security() {
            return ResponseEntity.ok()
                    .header("Strict-Transport-Security", "max-age=1")
                    .header("Content-Security-Policy", "default-src 'self'")
                    .header("X-Frame-Options", "DENY")
                    .contentType(MediaType.TEXT_HTML)
                    .body("text");
        }

        @GetMapping("/header/warning")
        ResponseEntity<String> warning() {
            return ResponseEntity.ok()
                    .header("Warning", "199 - \"odd, but fine\"")
                    .header("Age", "5")
                    .body("text");
        }

        @GetMapping("/header/clear-site-data")
        ResponseEntity<String> clearSiteData() {
            return ResponseEntity.ok().header("Clear-Site-Data", "\"cache\"").body("text");
        }

        @GetMapping("/header/echo")
        String echo(HttpServletRequest request) {
            StringBuilder echo = new StringBuilder();
            request.getHeaders("X-Own")
                    .asIterator()
                    .forEachRemaining(value -> echo.append('<').append(value).append('>'));
            return echo.toString();
        }
    }
}

package io.github.collapseexecutor.http.servlet.zoo;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authorization.AuthorityAuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.access.intercept.RequestMatcherDelegatingAuthorizationManager;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.authentication.session.ChangeSessionIdAuthenticationStrategy;
import org.springframework.security.web.authentication.www.BasicAuthenticationEntryPoint;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestFilter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Chains of Spring Security. The users are {@code one} and {@code two}, who may see everything, and {@code guest}, who may see
 * nothing; the password of each is the name.
 */
public final class Security {

    private static final List<String> USERS = List.of("one", "two");

    private Security() {}

    private static Authentication authenticated(String name) {
        return UsernamePasswordAuthenticationToken.authenticated(
                name, null, AuthorityUtils.createAuthorityList(USERS.contains(name) ? "reader" : "guest"));
    }

    private static AuthenticationManager passwords() {
        return authentication -> {
            if (!authentication.getName().equals(authentication.getCredentials())) {
                throw new BadCredentialsException("wrong password");
            }
            return authenticated(authentication.getName());
        };
    }

    private static FilterChainProxy chain(
            SecurityContextRepository contexts, Filter authentication, AuthenticationEntryPoint entryPoint) {
        SecurityContextHolderAwareRequestFilter aware = new SecurityContextHolderAwareRequestFilter();
        try {
            aware.afterPropertiesSet();
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        }
        List<Filter> filters = new ArrayList<>();
        filters.add(new SecurityContextHolderFilter(contexts));
        filters.add(new HeaderWriterFilter(List.of(new CacheControlHeadersWriter())));
        filters.add(authentication);
        filters.add(aware);
        filters.add(
                new AnonymousAuthenticationFilter("key", "anonymous", AuthorityUtils.createAuthorityList("anonymous")));
        filters.add(new ExceptionTranslationFilter(entryPoint));
        filters.add(new AuthorizationFilter(RequestMatcherDelegatingAuthorizationManager.builder()
                .add(
                        request -> request.getRequestURI().equals("/error"),
                        AuthorityAuthorizationManager.hasAnyAuthority("reader", "guest", "anonymous"))
                .add(AnyRequestMatcher.INSTANCE, AuthorityAuthorizationManager.hasAuthority("reader"))
                .build()));
        return new FilterChainProxy(new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE, filters));
    }

    /** HTTP Basic without sessions. */
    public static FilterChainProxy basic() {
        RequestAttributeSecurityContextRepository contexts = new RequestAttributeSecurityContextRepository();
        BasicAuthenticationEntryPoint entryPoint = new BasicAuthenticationEntryPoint();
        entryPoint.setRealmName("zoo");
        BasicAuthenticationFilter basic = new BasicAuthenticationFilter(passwords(), entryPoint);
        basic.setSecurityContextRepository(contexts);
        return chain(contexts, basic, entryPoint);
    }

    /** What a client sends for HTTP Basic. */
    public static String basicCredentials(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** A login form with a session, whose identity changes at the login. */
    public static FilterChainProxy formLogin() {
        HttpSessionSecurityContextRepository contexts = new HttpSessionSecurityContextRepository();
        UsernamePasswordAuthenticationFilter login = new UsernamePasswordAuthenticationFilter(passwords());
        login.setSecurityContextRepository(contexts);
        login.setSessionAuthenticationStrategy(new ChangeSessionIdAuthenticationStrategy());
        login.setAuthenticationSuccessHandler((request, response, user) -> {
            request.getSession();
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        });
        return chain(contexts, login, new LoginUrlAuthenticationEntryPoint("/login"));
    }

    /** A filter of the application's own that puts the user of a token into the context, for this pass only. */
    public static FilterChainProxy tokens() {
        return chain(
                new RequestAttributeSecurityContextRepository(),
                new TokenFilter(
                        "X-Token",
                        token -> token.startsWith("token of ")
                                ? Optional.of(token.substring("token of ".length()))
                                : Optional.empty()),
                new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED));
    }

    /** Bearer tokens that are signed with a key. */
    public static FilterChainProxy bearer(Tokens tokens) {
        return chain(
                new RequestAttributeSecurityContextRepository(),
                new TokenFilter("Authorization", tokens::userOf),
                new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED));
    }

    /** The filter that applications write by hand. */
    private static final class TokenFilter extends OncePerRequestFilter {

        // immutable
        private final String header;
        private final Function<String, Optional<String>> userOf;

        private TokenFilter(String header, Function<String, Optional<String>> userOf) {
            this.header = header;
            this.userOf = userOf;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            Optional<String> user =
                    Optional.ofNullable(request.getHeader(header)).flatMap(userOf);
            if (user.isPresent()) {
                SecurityContext context = SecurityContextHolder.createEmptyContext();
                context.setAuthentication(authenticated(user.get()));
                SecurityContextHolder.setContext(context);
            }
            chain.doFilter(request, response);
        }
    }

    /** Signs and checks JSON web tokens, with the algorithm ES256. */
    public static final class Tokens {

        private static final Pattern TOKEN = Pattern.compile("Bearer (([\\w-]+)\\.([\\w-]+))\\.([\\w-]+)");
        private static final Pattern SUBJECT = Pattern.compile("\"sub\":\"(\\w+)\"");

        // immutable
        private final KeyPair keys;

        public Tokens() throws GeneralSecurityException {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            this.keys = generator.generateKeyPair();
        }

        /** What a client sends that has a token for this user. */
        public String of(String user) throws GeneralSecurityException {
            String signed = encoded("{\"alg\":\"ES256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8)) + "."
                    + encoded(("{\"sub\":\"" + user + "\"}").getBytes(StandardCharsets.UTF_8));
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return "Bearer " + signed + "." + encoded(signature.sign());
        }

        private static String encoded(byte[] bytes) {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }

        private Optional<String> userOf(String credentials) {
            Matcher token = TOKEN.matcher(credentials);
            if (!token.matches()) {
                return Optional.empty();
            }
            try {
                Signature signature = Signature.getInstance("SHA256withECDSA");
                signature.initVerify(keys.getPublic());
                signature.update(token.group(1).getBytes(StandardCharsets.US_ASCII));
                if (!signature.verify(Base64.getUrlDecoder().decode(token.group(4)))) {
                    return Optional.empty();
                }
            } catch (GeneralSecurityException e) {
                return Optional.empty();
            }
            Matcher subject =
                    SUBJECT.matcher(new String(Base64.getUrlDecoder().decode(token.group(3)), StandardCharsets.UTF_8));
            return subject.find() ? Optional.of(subject.group(1)) : Optional.empty();
        }
    }
}

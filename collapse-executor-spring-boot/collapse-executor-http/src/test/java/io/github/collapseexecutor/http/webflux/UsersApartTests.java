package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.security.Principal;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** Which users share, and what they share. */
@OnEachLine
class UsersApartTests {

    private static final CollapsePolicy FOR_ALL_USERS =
            CollapsePolicy.named("all").strict(true).shareAcrossUsers(true).build();

    /** Makes the user of a request known as Spring Security does, by the exchange. */
    private static WebFilter withPrincipal(String name) {
        return (exchange, chain) -> chain.filter(new ServerWebExchangeDecorator(exchange) {
            @Override
            @SuppressWarnings("unchecked") // the caller names the type of the only principal there is
            public <T extends Principal> Mono<T> getPrincipal() {
                return Mono.just((T) (Principal) () -> name);
            }
        });
    }

    @Test
    void H05_requestsWithAPrincipalAreApart() throws Exception {
        try (HeldHandler server = new Setting()
                .behind(withPrincipal("somebody"))
                .start(exchange -> HeldHandler.write(exchange, "body"))) {
            server.assertApart(HeldHandler.get(), HeldHandler.get());
        }
    }

    @Test
    void H05_requestsWithASecurityContextAreApart() throws Exception {
        WebFilter security = (exchange, chain) -> chain.filter(exchange)
                .contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                        new TestingAuthenticationToken("somebody", "secret")));
        try (HeldHandler server =
                new Setting().behind(security).start(exchange -> HeldHandler.write(exchange, "body"))) {
            server.assertApart(HeldHandler.get(), HeldHandler.get());
        }
    }

    @Test
    void anonymousRequestsShare() throws Exception {
        WebFilter security = (exchange, chain) -> chain.filter(exchange)
                .contextWrite(ReactiveSecurityContextHolder.withAuthentication(new AnonymousAuthenticationToken(
                        "key", "anonymous", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"))));
        try (HeldHandler server =
                new Setting().behind(security).start(exchange -> HeldHandler.write(exchange, "body"))) {
            server.assertShared(HeldHandler.get());
        }
    }

    @Test
    void H12_aPolicyMayShareAcrossUsers() throws Exception {
        try (HeldHandler server = new Setting()
                .by(FOR_ALL_USERS)
                .behind(withPrincipal("somebody"))
                .start(exchange -> HeldHandler.write(exchange, "body"))) {
            server.assertShared(HeldHandler.get());
        }
    }

    @Test
    void H31_theFailureOfAUsersHandlerIsForOneOnly() throws Exception {
        try (HeldHandler server = new Setting()
                .by(FOR_ALL_USERS)
                .behind(withPrincipal("somebody"))
                .start(exchange -> Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND)))) {
            server.assertForwarded(HeldHandler.get());
        }
    }
}

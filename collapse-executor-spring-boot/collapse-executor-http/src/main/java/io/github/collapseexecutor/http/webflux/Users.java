package io.github.collapseexecutor.http.webflux;

import java.security.Principal;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Looks for the user of a request, beside its headers: the principal of the exchange, and that in the Reactor context. */
final class Users {

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.core.context.ReactiveSecurityContextHolder", Users.class.getClassLoader());

    private Users() {}

    /** Tells, with the subscriber's context, whether somebody is logged in; if that cannot be found out, somebody is. */
    static Mono<Boolean> areIn(ServerWebExchange exchange) {
        Mono<Principal> principal = exchange.getPrincipal();
        Mono<Boolean> found = SECURITY ? Security.areIn(principal) : principal.hasElement();
        return found.onErrorReturn(true);
    }

    /** A class of its own, so that Spring Security is not missed. */
    private static final class Security {

        private Security() {}

        static Mono<Boolean> areIn(Mono<Principal> principal) {
            Mono<Authentication> inContext =
                    ReactiveSecurityContextHolder.getContext().mapNotNull(SecurityContext::getAuthentication);
            return principal
                    .filter(found -> !(found instanceof AnonymousAuthenticationToken))
                    .switchIfEmpty(inContext.filter(found -> !(found instanceof AnonymousAuthenticationToken)))
                    .hasElement();
        }
    }
}

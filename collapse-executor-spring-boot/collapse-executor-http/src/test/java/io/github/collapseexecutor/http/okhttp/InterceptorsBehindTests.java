package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import okhttp3.CompressionInterceptor;
import okhttp3.Gzip;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** H36: nobody gets another's response, whatever interceptors there are between this one and the network. */
@OnEachJdk
class InterceptorsBehindTests extends OkHttpFixture {

    private static final int ROUNDS = 100;
    private static final int CALLERS = 20;

    private final ThreadLocal<@Nullable String> user = new ThreadLocal<>();

    /** Adds credentials for the callers only that have any. */
    private final Interceptor credentials = new Credentials();

    private final class Credentials implements Interceptor {

        @Override
        public Response intercept(Chain chain) throws IOException {
            String name = user.get();
            Request request = chain.request();
            return chain.proceed(
                    name == null
                            ? request
                            : request.newBuilder().header("Authorization", name).build());
        }
    }

    private enum Place {
        APPLICATION {
            @Override
            void add(OkHttpClient.Builder client, Interceptor interceptor) {
                client.addInterceptor(interceptor);
            }
        },
        NETWORK {
            @Override
            void add(OkHttpClient.Builder client, Interceptor interceptor) {
                client.addNetworkInterceptor(interceptor);
            }
        };

        abstract void add(OkHttpClient.Builder client, Interceptor interceptor);
    }

    @BeforeEach
    void answerTheUser() {
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Authorization"))));
    }

    private static CollapseOkHttpInterceptor collapse() {
        return new CollapseOkHttpInterceptor(everything().build(), IN_FLIGHT);
    }

    private static OkHttpClient client(CollapseOkHttpInterceptor collapse, Place place, Interceptor... interceptors) {
        OkHttpClient.Builder client = OkHttpClients.PLAIN.newBuilder().addInterceptor(collapse);
        for (Interceptor interceptor : interceptors) {
            place.add(client, interceptor);
        }
        return client.build();
    }

    private Caller<String> startAs(@Nullable String name, OkHttpClient client) {
        return callers.start(() -> {
            user.set(name);
            return bodyOf(callOf(client));
        });
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void H36_aLeaderWithoutCredentialsDoesNotAnswerAFollowerWithSome(Place place) throws Exception {
        OkHttpClient client = client(collapse(), place, credentials);
        Hold hold = origin.hold();
        Caller<String> anonymous = startAs(null, client);
        hold.await(1);
        Caller<String> one = startAs("one", client);
        hold.await(1);
        hold.release();
        assertThat(anonymous.get()).isEqualTo("null");
        assertThat(one.get()).isEqualTo("one");
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void H36_nobodyGetsAnothersAnswerRoundAfterRound(Place place) throws Exception {
        OkHttpClient client = client(collapse(), place, credentials);
        origin.forgetRequests();
        CyclicBarrier barrier = new CyclicBarrier(CALLERS);
        List<Caller<Integer>> repeating = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            String name = i % 4 == 0 ? "user" + i : null;
            repeating.add(callers.start(() -> {
                user.set(name);
                int wrong = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    barrier.await();
                    wrong += bodyOf(callOf(client)).equals(String.valueOf(name)) ? 0 : 1;
                }
                return wrong;
            }));
        }
        for (Caller<Integer> caller : repeating) {
            assertThat(caller.get()).isZero();
        }
    }

    @Test
    void H36_credentialsInFrontAreInTheKey() throws Exception {
        OkHttpClient client = OkHttpClients.PLAIN
                .newBuilder()
                .addInterceptor(credentials)
                .addInterceptor(collapse())
                .build();
        Hold hold = origin.hold();
        Caller<String> one = startAs("one", client);
        hold.await(1);
        Caller<String> two = startAs("two", client);
        hold.await(1);
        Caller<String> oneAgain = startAs("one", client);
        oneAgain.awaitJoined();
        hold.release();
        assertThat(one.get()).isEqualTo("one");
        assertThat(oneAgain.get()).isEqualTo("one");
        assertThat(two.get()).isEqualTo("two");
        assertThat(origin.requests()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void H36_oneWarningNamesTheInterceptorsAndTheRemedy(Place place) throws Exception {
        List<String> warnings;
        try (Warnings logged = new Warnings()) {
            OkHttpClient client = client(collapse(), place, credentials);
            bodyOf(callOf(client));
            bodyOf(callOf(client));
            warnings = List.copyOf(logged.messages());
        }
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0))
                .contains(Credentials.class.getName())
                .contains("withHarmless")
                .doesNotContain("/a");
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void interceptorsThatAreKnownOrDeclaredHarmlessDoNotKeepCallsFromSharing(Place place) throws Exception {
        Interceptor timing = new Timing();
        OkHttpClient client = client(
                collapse().withHarmless(interceptor -> interceptor == timing).withHarmless(other -> false),
                place,
                timing,
                new CompressionInterceptor(Gzip.INSTANCE));
        assertThat(bodiesOfTwo(() -> callOf(client))).containsOnly("null");
        assertThat(origin.requests()).hasSize(1);
    }

    private static final class Timing implements Interceptor {

        @Override
        public Response intercept(Chain chain) throws IOException {
            return chain.proceed(chain.request());
        }
    }

    @Test
    void H05_credentialsThatAreAddedBehindTheInterceptorKeepUsersApart() throws Exception {
        // wrongly declared harmless: the leader's request shows that it was changed
        OkHttpClient client = client(collapse().withHarmless(interceptor -> true), Place.NETWORK, credentials);
        Hold hold = origin.hold();
        Caller<String> one = startAs("one", client);
        hold.await(1);
        Caller<String> two = startAs("two", client);
        two.awaitJoined();
        origin.holdNoMore();
        hold.release();
        assertThat(one.get()).isEqualTo("one");
        assertThat(two.get()).isEqualTo("two");
    }

    @Test
    void H36_anAddressThatIsRewrittenBehindTheInterceptorIsNotShared() throws Exception {
        origin.answer(request -> OriginReply.ok(request.target()));
        Interceptor rewriting = chain -> chain.proceed(
                user.get() == null
                        ? chain.request()
                        : chain.request()
                                .newBuilder()
                                .url(chain.request().url().newBuilder("/b").build())
                                .build());
        OkHttpClient client = client(collapse().withHarmless(interceptor -> true), Place.APPLICATION, rewriting);
        Hold hold = origin.hold();
        Caller<String> rewritten = startAs("one", client);
        hold.await(1);
        Caller<String> follower = startAs(null, client);
        follower.awaitJoined();
        origin.holdNoMore();
        hold.release();
        assertThat(rewritten.get()).isEqualTo("/b");
        assertThat(follower.get()).isEqualTo("/a");
    }

    @Test
    void H36_asANetworkInterceptorItSharesNothing() throws Exception {
        OkHttpClient client = OkHttpClients.PLAIN
                .newBuilder()
                .addNetworkInterceptor(collapse())
                .build();
        assertThat(apart(client)).containsOnly("null");
    }

    @Test
    void H36_twiceInOneClientItSharesNothingAndDoesNotWaitForItself() throws Exception {
        CollapseOkHttpInterceptor collapse = collapse();
        assertThat(apart(client(collapse, Place.APPLICATION, collapse))).containsOnly("null");
        OkHttpClient client = client(collapse, Place.APPLICATION, collapse());
        assertThat(bodiesOfTwo(() -> callOf(client))).containsOnly("null");
        assertThat(origin.requests()).hasSize(3);
    }

    @Test
    void H36_calledByTheOnlyOtherInterceptorItShares_andOtherwiseNot() throws Exception {
        CollapseOkHttpInterceptor collapse = collapse();
        OkHttpClient only = OkHttpClients.PLAIN
                .newBuilder()
                .addInterceptor(chain -> collapse.intercept(chain))
                .build();
        assertThat(bodiesOfTwo(() -> callOf(only))).containsOnly("null");
        assertThat(origin.requests()).hasSize(1);
        assertThat(apart(only.newBuilder().addInterceptor(credentials).build())).containsOnly("null");
    }

    /** Two calls are at the origin at the same time: none has joined the other. */
    private List<String> apart(OkHttpClient client) throws Exception {
        Hold hold = origin.hold();
        List<Caller<String>> apart = callers.start(2, () -> bodyOf(callOf(client)));
        hold.await(2);
        origin.holdNoMore();
        hold.release();
        return List.of(apart.get(0).get(), apart.get(1).get());
    }

    @Test
    void H39_anUncheckedExceptionBehindReachesLeaderAndFollowerAsItIs() throws Exception {
        OkHttpClient client = client(collapse().withHarmless(interceptor -> true), Place.APPLICATION, chain -> {
            chain.proceed(chain.request()).close();
            throw new IllegalStateException("of the application");
        });
        Hold hold = origin.hold();
        List<Caller<String>> gathered = gatheredCalls(hold, List.of(callOf(client), callOf(client)));
        hold.release();
        for (Caller<String> caller : gathered) {
            assertThat(caller.failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("of the application");
        }
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H39_anUncheckedExceptionOfCollapsingItselfIsOneThatTheDispatcherSurvives() {
        IllegalStateException failure = new IllegalStateException("of the predicate");
        OkHttpClient client = client(
                collapse().withHarmless(interceptor -> {
                    throw failure;
                }),
                Place.NETWORK,
                credentials);
        assertThatThrownBy(() -> bodyOf(callOf(client)))
                .isInstanceOf(IOException.class)
                .hasCause(failure);
    }

    @Test
    void withHarmlessNeedsAPredicate() {
        assertThatThrownBy(() -> collapse().withHarmless(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("further");
    }
}

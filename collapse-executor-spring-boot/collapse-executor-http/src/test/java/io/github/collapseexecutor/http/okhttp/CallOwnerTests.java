package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The client of a call is found by an internal class of OkHttp, and nothing breaks where that is not to be had. */
@OnEachJdk
class CallOwnerTests extends OkHttpFixture {

    @Test
    void theClientOfACallIsFound() {
        OkHttpClient client = OkHttpClients.PLAIN.newBuilder().build();
        assertThat(CallOwner.of(callOf(client))).isSameAs(client);
    }

    @Test
    void aCallOfAnotherClassHasNoClient() {
        assertThat(CallOwner.of(delegating(Call.class, callOf(OkHttpClients.PLAIN), null)))
                .isNull();
    }

    @Test
    void withoutTheInternalClassThereIsNoClient() throws Exception {
        Class<?> isolated = new WithoutRealCall().loadClass(CallOwner.class.getName());
        Method of = isolated.getDeclaredMethod("of", Call.class);
        of.setAccessible(true);
        assertThat(isolated).isNotSameAs(CallOwner.class);
        assertThat(of.invoke(null, callOf(OkHttpClients.PLAIN))).isNull();
    }

    /** Hides one class of OkHttp from {@link CallOwner}. */
    private static final class WithoutRealCall extends ClassLoader {

        WithoutRealCall() {
            super(CallOwner.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("okhttp3.internal.connection.RealCall")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith(CallOwner.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = Objects.requireNonNull(in).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void H35_withoutTheClientItsPartsKeepCallsApart_andEqualPartsShare() throws Exception {
        CollapseOkHttpInterceptor collapse =
                new CollapseOkHttpInterceptor(everything().build(), IN_FLIGHT);
        Interceptor hiding = chain -> collapse.intercept(hidingItsCall(chain));
        OkHttpClient one =
                OkHttpClients.PLAIN.newBuilder().addInterceptor(hiding).build();
        OkHttpClient alike = one.newBuilder().build();
        OkHttpClient other =
                one.newBuilder().authenticator((route, response) -> null).build();
        Hold hold = origin.hold();
        List<Caller<String>> shared = gatheredCalls(hold, List.of(callOf(one), callOf(alike)));
        Caller<String> apart = callers.start(() -> bodyOf(callOf(other)));
        hold.await(1);
        hold.release();
        assertThat(shared.get(0).get()).isEqualTo("/a");
        assertThat(shared.get(1).get()).isEqualTo("/a");
        assertThat(apart.get()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(2);
    }

    private static Interceptor.Chain hidingItsCall(Interceptor.Chain chain) {
        Call hidden = delegating(Call.class, chain.call(), null);
        return delegating(Interceptor.Chain.class, chain, hidden);
    }

    /** An object of a class that nobody knows; if a call is given, it stands for that of a chain. */
    private static <T> T delegating(Class<T> type, T target, @Nullable Call call) {
        return type.cast(Proxy.newProxyInstance(
                CallOwnerTests.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (call != null && method.getName().equals("call")) {
                        return call;
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}

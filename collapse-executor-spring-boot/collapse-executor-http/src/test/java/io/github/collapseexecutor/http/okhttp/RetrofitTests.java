package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Test;
import retrofit2.Retrofit;
import retrofit2.http.GET;
import retrofit2.http.Path;

/** Retrofit makes its calls by OkHttp, and shares them with that. */
@OnEachJdk
class RetrofitTests extends OkHttpFixture {

    interface Users {

        @GET("user/{id}")
        retrofit2.Call<ResponseBody> find(@Path("id") long id);
    }

    @Test
    void callsOfRetrofitShareThoseOfOkHttp() throws Exception {
        Users users = new Retrofit.Builder()
                .baseUrl(origin.uri("/").toString())
                .client(collapsing().build())
                .build()
                .create(Users.class);
        Callable<String> call = () -> {
            try (ResponseBody body =
                    Objects.requireNonNull(users.find(7).execute().body())) {
                return body.string();
            }
        };
        Hold hold = origin.hold();
        List<Caller<String>> gathered = gathered(hold, List.of(call, call, call));
        origin.holdNoMore();
        hold.release();
        for (Caller<String> caller : gathered) {
            assertThat(caller.get()).isEqualTo("/user/7");
        }
        assertThat(origin.requests()).hasSize(1);
    }
}

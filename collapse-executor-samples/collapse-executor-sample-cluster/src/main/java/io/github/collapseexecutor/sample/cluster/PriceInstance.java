package io.github.collapseexecutor.sample.cluster;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * One instance of an application. It reads orders from its input, a line each ({@code SHARING CALLERS MILLIS}), has as many callers ask for
 * as long, and writes what they experienced to its output.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class PriceInstance {

    /** What all callers ask for. */
    private static final String GROUP = "price of 7";

    // immutable
    private final BlockingCallableGroupCollapseExecutor ofThisInstance;
    private final BlockingCallableGroupCollapseExecutor acrossInstances;

    /** Takes the executors of the configuration. */
    PriceInstance(
            @Qualifier("instance") BlockingCallableGroupCollapseExecutor ofThisInstance,
            @Qualifier("prices") BlockingCallableGroupCollapseExecutor acrossInstances) {
        this.ofThisInstance = ofThisInstance;
        this.acrossInstances = acrossInstances;
    }

    /** Returns how a caller asks. */
    private Callable<Long> caller(Sharing sharing, Callable<Long> call) {
        return switch (sharing) {
            case NONE -> call;
            case INSTANCE -> () -> ofThisInstance.execute(GROUP, call);
            case CLUSTER -> () -> acrossInstances.execute(GROUP, call);
        };
    }

    /** Runs until its input ends. Takes the address of the backend, and properties as {@code --name=value}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // for what is logged
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(arguments[0])).build();
        try (ConfigurableApplicationContext context = SpringApplication.run(PriceInstance.class, arguments)) {
            PriceInstance instance = context.getBean(PriceInstance.class);
            out.println("ready");
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                String[] words = order.split(" ", -1);
                LoadResult result = Load.run(
                        Integer.parseInt(words[1]),
                        instance.caller(Sharing.valueOf(words[0]), () -> asked(client, request)),
                        Duration.ofMillis(Long.parseLong(words[2])));
                out.println(result.line());
            }
        }
    }

    /** Calls the backend, and returns when it was asked. */
    private static long asked(HttpClient client, HttpRequest request) throws IOException, InterruptedException {
        return Long.parseLong(
                client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
}

package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Clients of one kind, and an origin. The path names the round, which begins with the application, and the steps of the origin behind redirects. */
final class ClientLab implements LabServer {

    private static final long CALLS_TAKE_NANOS = 500_000;

    private static final Pattern SERIAL = Pattern.compile("serial-\\d+");

    /**
     * An application: a client that all its callers have, and what the origin does.
     *
     * @param serials what was for one caller only, and has been seen
     */
    private record Application(LabAsking client, OriginHandler origin, Set<String> serials) {}

    // immutable
    private final LabMake make;
    private final LabOrigin origin;
    private final LabClients clients;
    private final LabMeetings meetings = new LabMeetings();

    // mutable, thread-safe
    private final Map<String, Application> applications = new ConcurrentHashMap<>();

    ClientLab(LabMake make) {
        this.make = make;
        this.clients = new LabClients(make);
        this.origin = make.isHttp2() ? LabOrigin.ofHttp2(this::answer) : LabOrigin.ofHttp1(this::answer);
    }

    /** For {@code /application-round/step}. */
    private CompletableFuture<@Nullable OriginResponse> answer(OriginRequest request) {
        String[] path = request.target().replaceAll("\\?.*", "").split("/", -1);
        Application application = applications.get(path[1].replaceAll("-.*", ""));
        if (application == null) {
            return CompletableFuture.completedFuture(null); // its caller has left
        }
        int step = Integer.parseInt(path[2]);
        CompletableFuture<Void> gathered =
                step == 0 ? meetings.of(path[1]).run() : CompletableFuture.completedFuture(null);
        return gathered.thenApply(all -> {
            LockSupport.parkNanos(CALLS_TAKE_NANOS); // so that callers that are about to call may share
            LabPauses.maybe();
            return application.origin().answer(request, "/" + path[1] + "/" + (step + 1), step, origin::uri);
        });
    }

    @Override
    public LabMake make() {
        return make;
    }

    @Override
    public LabMeetings meetings() {
        return meetings;
    }

    @Override
    public void host(String name, LabSetup setup, boolean collapses) {
        applications.put(
                name,
                new Application(
                        clients.client(setup, collapses), new OriginHandler(setup), ConcurrentHashMap.newKeySet()));
    }

    @Override
    public LabCaller caller(String application) {
        return new Caller(applications.get(application));
    }

    @Override
    public void remove(String name) {
        applications.remove(name);
    }

    @Override
    public void close() {
        clients.close();
        origin.close();
    }

    /** One caller, who makes one call after another. */
    private final class Caller implements LabCaller {

        // immutable
        private final Application application;

        // mutable, confined to the thread that drives
        private final List<RawReply> replies = new ArrayList<>();
        private @Nullable Future<RawReply> running;
        private boolean left;

        Caller(Application application) {
            this.application = application;
        }

        @Override
        public void send(LabCall call, String meeting, int round, boolean last) {
            if (!left) {
                URI uri = origin.uri("127.0.0.1", "/" + meeting + "/0" + call.query());
                LabMeetings.Meeting here = meetings.of(meeting);
                running = application.client().ask(uri, call, here::arrive);
            }
        }

        @Override
        public void receive(LabCall call) {
            if (left || running == null) {
                return;
            }
            if (call.leaves()) {
                left = true;
                LabPauses.maybe();
                running.cancel(true);
                return;
            }
            try {
                replies.add(seen(running.get(LabConnection.TIME_OUT_MILLIS, TimeUnit.MILLISECONDS)));
            } catch (TimeoutException e) {
                left = true;
                running.cancel(true);
                replies.add(new RawReply("", "", "no response in " + LabConnection.TIME_OUT_MILLIS + " ms", List.of()));
            } catch (ExecutionException | InterruptedException e) {
                throw new IllegalStateException(call.toString(), e);
            }
        }

        /** The response without what differs between any two runs; a serial number that another caller has seen is replaced by a sentence. */
        private RawReply seen(RawReply reply) {
            Matcher serials = SERIAL.matcher(reply.head());
            Set<String> own = ConcurrentHashMap.newKeySet();
            StringBuilder head = new StringBuilder();
            while (serials.find()) {
                boolean isMine =
                        own.contains(serials.group()) || application.serials().add(serials.group());
                own.add(serials.group());
                serials.appendReplacement(head, isMine ? "(serial)" : "(the serial of another caller)");
            }
            String shown = serials.appendTail(head).toString().replaceAll("/\\d+-(\\d+)/", "/(application)-$1/");
            return new RawReply(
                    shown.replaceAll(":" + origin.port() + "/", ":(port)/"),
                    reply.body(),
                    reply.framing(),
                    reply.chunks());
        }

        @Override
        public boolean hasLeft() {
            return left;
        }

        @Override
        public List<RawReply> end() {
            return replies;
        }

        @Override
        public void close() {
            if (running != null) {
                running.cancel(true);
            }
        }
    }
}

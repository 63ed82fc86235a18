package io.github.collapseexecutor.sample.springboot.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The servers of a load run: one for all ways with the same configuration, started when it is asked for, and their backend. */
final class LoadServers implements AutoCloseable {

    // immutable
    private final LoadServer backend;

    // mutable, confined to the thread of the load run
    private final Map<List<String>, LoadServer> servers = new HashMap<>();

    private LoadServers(LoadServer backend) {
        this.backend = backend;
    }

    static LoadServers start() throws IOException {
        return start(List.of());
    }

    /** Starts a backend whose configuration says something else, {@code name=value}. */
    static LoadServers start(List<String> backendProperties) throws IOException {
        return new LoadServers(LoadServer.start(backendProperties));
    }

    LoadServer backend() {
        return backend;
    }

    LoadServer of(LoadWay way) throws IOException {
        LoadServer server = servers.get(way.properties());
        if (server == null) {
            List<String> properties = new ArrayList<>(way.properties());
            properties.add("sample.backend=" + backend.root());
            server = LoadServer.start(properties);
            servers.put(way.properties(), server);
        }
        return server;
    }

    @Override
    public void close() {
        servers.values().forEach(LoadServer::close);
        backend.close();
    }
}

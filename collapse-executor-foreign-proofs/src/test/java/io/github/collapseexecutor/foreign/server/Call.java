package io.github.collapseexecutor.foreign.server;

import java.util.Map;

/** A request. */
record Call(String guest, String method, String target, Map<String, String> headers) {}

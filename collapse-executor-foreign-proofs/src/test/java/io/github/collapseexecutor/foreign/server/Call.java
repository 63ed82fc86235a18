package io.github.collapseexecutor.foreign.server;

import java.util.Map;

/** A request; its body may be empty. */
record Call(String guest, String method, String target, Map<String, String> headers, String body) {}

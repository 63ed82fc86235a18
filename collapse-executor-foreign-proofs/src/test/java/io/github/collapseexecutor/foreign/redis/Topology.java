package io.github.collapseexecutor.foreign.redis;

/** How servers of Redis stand together. */
enum Topology {
    ALONE,
    /** One that clients reach by TLS only. */
    TLS,
    /** A master and its replica, watched by Sentinel. */
    SENTINEL,
    /** A Redis Cluster of two masters. */
    CLUSTER
}

package io.github.collapseexecutor.http;

/** Where an adapter stands. */
enum Side {

    /** Where requests leave: their headers say who sends them. */
    CLIENT,

    /** Where requests arrive: something beside their headers may say who sent them. */
    SERVER
}

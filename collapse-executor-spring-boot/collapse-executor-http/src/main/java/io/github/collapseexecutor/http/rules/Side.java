package io.github.collapseexecutor.http.rules;

/** Where an adapter stands. Public for other packages of the library only. */
public enum Side {

    /** Where requests leave: their headers say who sends them. */
    CLIENT,

    /** Where requests arrive: something beside their headers may say who sent them. */
    SERVER
}

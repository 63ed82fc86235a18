package io.github.collapseexecutor.sample.springboot.live;

/** What a visitor does with a page. */
interface Browser extends AutoCloseable {

    void open(String address);

    /** Returns the text of an element, empty if it has none; null if there is no such element. */
    @org.jspecify.annotations.Nullable String text(String selector);

    boolean isShown(String selector);

    void click(String selector);

    /** Moves a slider to its lowest value. */
    void slideDown(String id);

    @Override
    void close();
}

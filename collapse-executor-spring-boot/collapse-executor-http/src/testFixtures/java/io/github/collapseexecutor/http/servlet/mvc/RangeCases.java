package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import java.util.stream.Stream;

/** Parts of files and of other resources. */
final class RangeCases {

    private RangeCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> ranges = Stream.of(
                        "bytes=0-9",
                        "bytes=10-",
                        "bytes=-5",
                        "bytes=0-0",
                        "bytes=0-1000000",
                        "bytes=300000-",
                        "bytes=9-0",
                        "lines=0-9")
                .flatMap(range -> Stream.of(
                        get("/static/small.txt").with("Range", range),
                        get("/resource/bytes").with("Range", range)));
        Stream<MvcCase> others = Stream.of(
                // the boundaries of a static file's parts are not deterministic on Spring 7
                get("/resource/bytes").with("Range", "bytes=0-9,20-29"),
                get("/resource/bytes").with("Range", "bytes=0-9,1-5,50-"),
                get("/static/large.bin").with("Range", "bytes=1000-160000"),
                get("/static/large.bin")
                        .with("Range", "bytes=0-99999,150000-199999")
                        .notOn(Make.JETTY), // the length of the boundary differs
                head("/static/large.bin").with("Range", "bytes=0-9"),
                get("/resource/file").with("Range", "bytes=100-150000"),
                get("/static/small.txt").with("Range", "bytes=0-9").with("If-Range", "Thu, 02 Jan 2025 03:04:05 GMT"),
                get("/static/small.txt").with("Range", "bytes=0-9").with("If-Range", "Wed, 01 Jan 2025 03:04:05 GMT"),
                get("/static/small.txt").with("Range", "bytes=0-9").with("If-Range", "\"v1\""),
                get("/conditional/etag").with("Range", "bytes=0-4"));
        return Stream.concat(ranges, others);
    }
}

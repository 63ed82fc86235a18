package io.github.collapseexecutor.sample.groupcommit;

import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Orders with a message each: {@code POST /message} takes one, {@code POST /message/check} looks at the states, {@code GET /message} shows them. */
@RestController
class MessageController {

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Messages</title></head><body>
            <h1>Messages</h1>
            <p>A message is written in a group before its order's transaction, which confirms it. One that stays prepared is of an order that
            was not taken: the check makes it void. Only what is confirmed is to be sent.</p>
            <table><tr><th>state</th><th>messages</th></tr>
            %s
            </table>
            <form method="post" action="/message?user_id=101&amp;goods_id=101&amp;count=1"><button>Order one piece</button></form>
            <form method="post" action="/message?user_id=101&amp;goods_id=101&amp;count=1000"><button>Order too many</button></form>
            <form method="post" action="/message/check"><button>Check</button></form>
            </body></html>
            """;

    // immutable
    private final Messages messages;

    MessageController(Messages messages) {
        this.messages = messages;
    }

    @PostMapping("/message")
    long message(
            @RequestParam(name = "id", required = false) @Nullable String id,
            @RequestParam("user_id") long userId,
            @RequestParam("goods_id") long goodsId,
            @RequestParam("count") int count)
            throws SQLException, InterruptedException, OrderRefusedException {
        OrderController.check(count);
        String message = id == null ? UUID.randomUUID().toString() : id;
        messages.prepare(message, "user " + userId + " orders " + count + " of " + goodsId);
        return messages.order(message, userId, goodsId, count);
    }

    /** Answers with how many messages have become void. */
    @PostMapping("/message/check")
    int check() {
        return messages.check();
    }

    @GetMapping(path = "/message", produces = MediaType.TEXT_HTML_VALUE)
    String page() {
        return PAGE.formatted(messages.states().stream()
                .map(Map::values)
                .map(row -> row.stream()
                        .map(value -> "<td>" + value + "</td>")
                        .collect(Collectors.joining("", "<tr>", "</tr>")))
                .collect(Collectors.joining("\n")));
    }
}

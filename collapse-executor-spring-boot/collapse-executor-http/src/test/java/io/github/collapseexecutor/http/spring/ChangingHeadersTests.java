package io.github.collapseexecutor.http.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.function.IntConsumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.support.JettyHeadersAdapter;

/** Jetty's client takes headers out of a response while somebody reads them: no other is missed. */
class ChangingHeadersTests {

    /**
     * Jetty's fields, between two of which something happens.
     *
     * @param between is told of the how manieth field is to be read next
     */
    private record WatchedFields(HttpFields.Mutable fields, IntConsumer between) implements HttpFields {

        @Override
        public Iterator<HttpField> iterator() {
            Iterator<HttpField> each = fields.iterator();
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    between.accept(next);
                    return each.hasNext();
                }

                @Override
                public HttpField next() {
                    next++;
                    return each.next();
                }
            };
        }

        @Override
        public ListIterator<HttpField> listIterator(int index) {
            return fields.listIterator(index);
        }
    }

    private static HttpFields.Mutable encoded() {
        return HttpFields.build()
                .add("Content-Encoding", "gzip")
                .add("Set-Cookie", "session=1")
                .add("Content-Length", "20")
                .add("X-Own", "a");
    }

    private static List<String> shown(HttpFields fields) {
        List<String> names = new ArrayList<>();
        HeadersByName.show(new HttpHeaders(new JettyHeadersAdapter(fields)), (name, values) -> names.add(name));
        return names;
    }

    @Test
    void H18_aHeaderBehindOneThatIsTakenOutIsNotMissed() {
        for (int moment = 0; moment <= 4; moment++) {
            HttpFields.Mutable fields = encoded();
            int then = moment;
            List<String> names = shown(new WatchedFields(fields, next -> {
                if (next == then) {
                    fields.remove("Content-Encoding");
                    fields.remove("Content-Length");
                }
            }));
            assertThat(names).as("taken out before field %d", moment).contains("Set-Cookie", "X-Own");
        }
    }

    @Test
    void headersAreShownInTheirOrder() {
        assertThat(shown(encoded())).containsExactly("Content-Encoding", "Set-Cookie", "Content-Length", "X-Own");
    }

    @Test
    void headersThatChangeAllTheTimeCannotBeRead() {
        HttpFields.Mutable fields = encoded();
        int[] changes = {0};
        assertThatIllegalStateException()
                .isThrownBy(() -> shown(new WatchedFields(fields, next -> fields.put("X-Own", "a" + changes[0]++))))
                .withMessage("The headers of a response change while they are read");
    }
}

package io.github.collapseexecutor.foreign.annotation;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Transient;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entity with an association that is loaded when it is looked at, if there is a persistence context still. */
@Entity
public class Item {

    /** What belongs to it. */
    @Entity
    public static class Part {

        @Id
        private @Nullable String id;

        protected Part() {}

        Part(String id) {
            this.id = id;
        }
    }

    @Id
    private @Nullable String id;

    private long version;

    @OneToMany(fetch = FetchType.LAZY, cascade = CascadeType.ALL)
    private List<Part> parts = new ArrayList<>();

    @Transient
    private String text = "";

    protected Item() {}

    Item(String id) {
        this.id = id;
        this.parts.add(new Part(id + " part"));
    }

    Item with(String newText) {
        text = newText;
        return this;
    }

    String text() {
        return text;
    }

    long version() {
        return version;
    }

    int countParts() {
        return parts.size();
    }
}

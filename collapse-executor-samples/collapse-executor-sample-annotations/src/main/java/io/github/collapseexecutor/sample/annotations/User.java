package io.github.collapseexecutor.sample.annotations;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A row of the table of users. */
@Entity
@Table(name = "users")
public class User {

    @Id
    private @Nullable Long id;

    private @Nullable String name;

    /** For JPA. */
    protected User() {}

    /**
     * Creates a user.
     *
     * @param id the key
     * @param name the name
     */
    public User(Long id, String name) {
        this.id = id;
        this.name = name;
    }

    /**
     * Returns the key.
     *
     * @return the key
     */
    public @Nullable Long getId() {
        return id;
    }

    /**
     * Returns the name.
     *
     * @return the name
     */
    public @Nullable String getName() {
        return name;
    }
}

package io.github.collapseexecutor.sample.tenants;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.TenantId;
import org.jspecify.annotations.Nullable;

/** A row that belongs to one tenant, as an application writes it. */
@Entity
public class Product {

    @Id
    private @Nullable Long id;

    @TenantId
    private @Nullable String tenant;

    /** For JPA. */
    protected Product() {}

    Product(Long id) {
        this.id = id;
    }

    /** Its key. */
    public @Nullable Long id() {
        return id;
    }

    /** The tenant that it was saved for. */
    public @Nullable String tenant() {
        return tenant;
    }
}

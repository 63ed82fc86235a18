package io.github.collapseexecutor.http.servlet.zoo;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/** How a container is told to go on with another resource: {@code RequestDispatcher::forward} or {@code RequestDispatcher::include}. */
@FunctionalInterface
public interface Passing {

    void pass(RequestDispatcher dispatcher, ServletRequest request, ServletResponse response)
            throws IOException, ServletException;
}

package io.github.collapseexecutor.sample.springboot;

import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The backend that the demonstration calls: one user, or many at once. */
@RestController
class UserController {

    // immutable
    private final UserService users;

    UserController(UserService users) {
        this.users = users;
    }

    @GetMapping("/user/{id}")
    ResponseEntity<UserEntity> user(@PathVariable long id) throws InterruptedException {
        return ResponseEntity.of(users.find(id));
    }

    @GetMapping("/users")
    List<UserEntity> users(@RequestParam List<Long> ids) throws InterruptedException {
        return users.findAll(ids);
    }
}

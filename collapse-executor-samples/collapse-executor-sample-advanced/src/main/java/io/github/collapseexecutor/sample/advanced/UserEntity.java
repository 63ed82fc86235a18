package io.github.collapseexecutor.sample.advanced;

/**
 * A user.
 *
 * @param id the user's number
 * @param name the user's name
 */
public record UserEntity(Long id, String name) {}

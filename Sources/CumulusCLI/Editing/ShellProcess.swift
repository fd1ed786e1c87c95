// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Runs one of the user's programs in a shell, in the terminal of this process.
enum ShellProcess {
    /// Starts the shell.
    ///
    /// - Parameters:
    ///   - arguments: The shell's arguments, from its name on.
    ///   - input: The descriptor for its standard input; `nil` shares ours.
    ///   - environment: Variables in addition to our own.
    /// - Returns: The process's number.
    /// - Throws: ``SystemProblem`` if it can't be started.
    static func start(
        _ arguments: [String],
        input: Int32? = nil,
        environment: [String: String] = [:]
    ) throws(SystemProblem) -> pid_t {
        // The other process doesn't inherit this one's signal handling.
        #if canImport(Darwin)
        var settings: posix_spawnattr_t?
        var actions: posix_spawn_file_actions_t?
        #else
        var settings = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawnattr_init(&settings)
        defer { posix_spawnattr_destroy(&settings) }
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&settings, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGQUIT] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&settings, &signals)
        posix_spawnattr_setflags(&settings, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let all = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let (words, variables) = (copies(arguments), copies(all.map { "\($0.key)=\($0.value)" }))
        defer { for text in words + variables { free(text) } }
        var child = pid_t()
        let problem = posix_spawn(&child, "/bin/sh", &actions, &settings, words, variables)
        guard problem == 0 else { throw SystemProblem(description: String(cString: strerror(problem))) }
        return child
    }

    /// Waits for a process's end, and returns its exit status.
    static func status(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
        // As in `WEXITSTATUS`; a signal's number is in the lower bits.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }

    /// C copies of the texts, with `nil` after the last one.
    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }
}

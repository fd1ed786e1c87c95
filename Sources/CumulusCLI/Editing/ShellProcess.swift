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

/// A shell that runs a program which the user has named, in the terminal of this process.
enum ShellProcess {
    /// Starts it.
    ///
    /// - Parameters:
    ///   - arguments: The shell's, from its name on.
    ///   - input: The descriptor that is its standard input; `nil` is ours.
    ///   - environment: Variables besides our own.
    /// - Returns: The process's number.
    /// - Throws: ``SystemProblem`` where it can't be started.
    static func start(
        _ arguments: [String],
        input: Int32? = nil,
        environment: [String: String] = [:]
    ) throws(SystemProblem) -> pid_t {
        // What this process does about signals is not for the other.
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

    /// Waits for a process's end, and gives its exit status.
    static func status(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
        // As `WEXITSTATUS` has it; a signal's number stands in the lower bits.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }

    /// The texts as C has them, `nil` behind the last one.
    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }
}

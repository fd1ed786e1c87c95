// SPDX-License-Identifier: Apache-2.0

import Dispatch

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

/// An editor in the terminal of this process.
enum EditorProcess {
    /// Runs an editor, as the shell takes it, with a file, and waits for its end.
    ///
    /// - Returns: Its exit status.
    /// - Throws: ``EditProblem`` where it can't be started.
    static func run(_ editor: String, on path: String) async throws -> Int32 {
        let child = try start(["sh", "-c", "\(editor) \"$@\"", editor, path])
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: status(of: child)) }
        }
    }

    private static func start(_ arguments: [String]) throws -> pid_t {
        // What this process does about signals is not for the editor.
        #if canImport(Darwin)
        var settings: posix_spawnattr_t?
        #else
        var settings = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&settings)
        defer { posix_spawnattr_destroy(&settings) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&settings, &signals)
        for number in [SIGINT, SIGTERM, SIGPIPE, SIGQUIT] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&settings, &signals)
        posix_spawnattr_setflags(&settings, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let (words, variables) = (copies(arguments), copies(environment))
        defer { for text in words + variables { free(text) } }
        var child = pid_t()
        let problem = posix_spawn(&child, "/bin/sh", nil, &settings, words, variables)
        guard problem == 0 else {
            throw EditProblem(reason: "the editor can't be started: \(String(cString: strerror(problem)))")
        }
        return child
    }

    /// The texts as C has them, `nil` behind the last one.
    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }

    private static func status(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
        // As `WEXITSTATUS` has it; a signal's number stands in the lower bits.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }
}

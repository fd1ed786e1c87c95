// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Limits how deep calls nest: a hook that sends a request which runs the same hook would never end.
enum CallNesting {
    /// More than any hook needs, and far fewer than a stack or a chain of tasks can hold.
    static let deepest = 32

    private struct Level: Sendable {
        /// How many calls run in each other.
        var depth = 0
        /// The innermost.
        var call: CallID?
    }

    @TaskLocal private static var level = Level()

    /// Runs the code of a call's hooks and authorizers, which may send requests; each call counts once.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/wouldDeadlock`` if it is nested too deep, or the call's
    ///   error.
    static func run<Output>(
        _ request: EncodedRequest,
        _ work: () async throws -> Output
    ) async throws -> Output {
        if let call = request.id, call == level.call { return try await work() }
        guard level.depth < deepest else {
            // It may have proofs and cookies already.
            var shown = request
            shown.headers = [:]
            throw CumulusError(
                .wouldDeadlock,
                stage: .preflight,
                "\(deepest) calls are nested: a hook sends requests that run the same hook; "
                    + "send them from a resource without it, which `.replacing([])` makes",
                request: shown
            )
        }
        return try await $level.withValue(Level(depth: level.depth + 1, call: request.id)) { try await work() }
    }
}

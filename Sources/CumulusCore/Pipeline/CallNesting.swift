// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Limits the depth of nested calls: a hook that sends a request which runs the same hook would never end.
enum CallNesting {
    /// The maximum depth: more than any hook needs, and far less than a stack or a chain of tasks can hold.
    static let deepest = 32

    private struct Level: Sendable {
        /// The number of calls that run in each other.
        var depth = 0
        /// The innermost call.
        var call: CallID?
    }

    @TaskLocal private static var level = Level()

    /// Runs the code of a call's hooks and authorizers, which may send requests.
    ///
    /// Each call counts once.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/wouldDeadlock`` if it is nested too deep, or the call's
    ///   error.
    static func run<Output>(
        _ request: EncodedRequest,
        _ work: () async throws -> Output
    ) async throws -> Output {
        if let call = request.id, call == level.call { return try await work() }
        guard level.depth < deepest else {
            // The request may already have credentials and cookies.
            var shown = request
            shown.headers = [:]
            throw CumulusError(
                .wouldDeadlock,
                stage: .preflight,
                "\(deepest) calls are nested: a hook sends requests that run the same hook; "
                    + "send them from a resource without that hook (`.replacing([])`)",
                request: shown
            )
        }
        return try await $level.withValue(Level(depth: level.depth + 1, call: request.id)) { try await work() }
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Limits how deep calls nest: a hook that sends a request which runs the same hook would never end.
enum CallNesting {
    /// More than any hook needs, and far fewer than a stack or a chain of tasks can hold.
    static let deepest = 32

    /// How many calls with hooks the current one runs in.
    @TaskLocal private static var depth = 0

    /// Runs a call with hooks, or an authorizer that may send requests, one level deeper.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/wouldDeadlock`` if it is nested too deep, or the call's
    ///   error.
    static func run<Output>(
        _ request: @autoclosure () -> EncodedRequest,
        _ call: () async throws -> Output
    ) async throws -> Output {
        guard depth < deepest else {
            // It may have proofs and cookies already.
            var shown = request()
            shown.headers = [:]
            throw CumulusError(
                .wouldDeadlock,
                stage: .preflight,
                "\(deepest) calls are nested: a hook sends requests that run the same hook; "
                    + "send them from a resource without it, which `.replacing([])` makes",
                request: shown
            )
        }
        return try await $depth.withValue(depth + 1) { try await call() }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Computes the digest of a body before it is sent.
enum BodyDigest {
    /// Reads a body once, before it is sent.
    ///
    /// - Throws: ``AuthorizationProblem`` for a body that can be produced only once; any error from reading it.
    static func bytes(of body: RequestBody, by algorithm: MessageDigest.Algorithm) async throws -> [UInt8] {
        let running = RunningHash(algorithm)
        switch body {
        case .none: break
        case .bytes(let bytes): running.update(bytes)
        case .file, .stream:
            guard body.isReplayable, let pieces = body.pieces else {
                throw AuthorizationProblem(
                    "the body can be produced only once, and its digest has to be known before it is sent"
                )
            }
            try await pieces.contents(
                0,
                BodyWriter { chunk in
                    try Task.checkCancellation()
                    running.update(chunk)
                }
            )
        }
        return running.bytes
    }
}

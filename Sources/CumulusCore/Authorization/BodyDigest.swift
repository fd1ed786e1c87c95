// SPDX-License-Identifier: Apache-2.0

/// The digest of a body that is going to be sent.
enum BodyDigest {
    /// Reads a body once, before it is sent.
    ///
    /// - Throws: ``AuthorizationProblem`` for a body that can be produced once only; what reading it throws.
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

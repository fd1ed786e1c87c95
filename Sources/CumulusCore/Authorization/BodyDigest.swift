// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Computes the digest of a body before it is sent.
enum BodyDigest {
    /// Computes the digest of a body in memory.
    static func bytes(of body: ByteChunk, by algorithm: MessageDigest.Algorithm) -> [UInt8] {
        let running = RunningHash(algorithm)
        body.withUnsafeBytes { running.update($0) }
        return running.bytes
    }

    /// Reads a body once, before it is sent.
    ///
    /// - Throws: ``AuthorizationProblem`` for a body that can be produced only once; any error from reading it.
    static func bytes(of body: RequestBody, by algorithm: MessageDigest.Algorithm) async throws -> [UInt8] {
        let running = RunningHash(algorithm)
        try await read(body) { $0.withUnsafeBytes { running.update($0) } }
        return running.bytes
    }

    /// Reads a body for its digest.
    ///
    /// - Throws: The same errors as ``bytes(of:by:)``.
    static func read(_ body: RequestBody, _ take: @escaping @Sendable (ByteChunk) async throws -> Void) async throws {
        guard body.isReplayable else {
            throw AuthorizationProblem(
                "the body can be produced only once, but its digest must be known before it is sent"
            )
        }
        try await body.read(take)
    }
}

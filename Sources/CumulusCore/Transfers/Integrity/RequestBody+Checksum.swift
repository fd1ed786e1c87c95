// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension RequestBody {
    /// Reads the body once, before it is sent, and computes its digest: for an authorizer that signs it.
    ///
    /// - Parameter algorithm: The algorithm.
    /// - Returns: The digest of all bytes, before transfer codings.
    /// - Throws: ``AuthorizationProblem`` for a body that can be produced only once; otherwise as ``read(_:)``.
    public func checksum(_ algorithm: Checksum.Algorithm) async throws -> Checksum {
        let digest = Mutex(RunningDigest([algorithm]))
        try await BodyDigest.read(self) { piece in
            digest.withLock { digest in piece.withUnsafeBytes { digest.update($0) } }
        }
        return digest.withLock { digest in digest.checksum(algorithm) ?? Checksum(known: algorithm, []) }
    }
}

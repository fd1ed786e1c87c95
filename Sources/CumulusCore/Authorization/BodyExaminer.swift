// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// An authorizer that examines not only heads: a response's body may be part of the server's own proof.
protocol BodyExaminer: Authorizer {
    /// Examines a head like ``Authorizer/examine(_:of:)``, which is not called.
    ///
    /// - Returns: A check of the body that follows, as it was received; `nil` if the body is not part of a proof.
    func check(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck?
}

/// A check of a whole body by its digest.
struct BodyCheck: Sendable {
    let algorithm: MessageDigest.Algorithm
    /// Throws if the digest is wrong.
    let verify: @Sendable (_ digest: [UInt8]) throws -> Void
}

/// A body that is checked once its reader has it whole: a wrong one ends with an error.
final class CheckedBody: ResponseBodySource {
    private let body: ResponseBody
    private let hash: RunningHash
    private let verify: @Sendable (_ digest: [UInt8]) throws -> Void

    init(
        _ body: ResponseBody,
        _ algorithm: MessageDigest.Algorithm,
        verify: @escaping @Sendable (_ digest: [UInt8]) throws -> Void
    ) {
        self.body = body
        self.verify = verify
        hash = RunningHash(algorithm)
    }

    func next() async throws -> ResponseBodyElement {
        if let chunk = try await body.next() {
            hash.update(chunk)
            return .bytes(chunk)
        }
        try verify(hash.bytes)
        return .end(body.end ?? ExchangeEnd())
    }

    func cancel() { body.cancel() }
}

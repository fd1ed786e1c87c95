// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A check of a response's body that is part of the server's authentication.
///
/// It sees each piece as it was received, before content codings are removed.
///
/// A body that is checked isn't resumed after an interruption. The bodies of downloads are not checked, and neither are
/// coded bodies if the transport decodes them itself, as `URLSessionTransport` does.
public struct BodyCheck: Sendable {
    let update: @Sendable (ByteChunk) -> Void
    let finish: @Sendable () throws -> Void

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - update: A closure that is called with each piece, in order. It must not wait.
    ///   - finish: A closure that is called once at the body's end. If it throws because the body isn't the server's,
    ///     the reader receives the error instead of the end of the body.
    public init(
        update: @escaping @Sendable (ByteChunk) -> Void,
        finish: @escaping @Sendable () throws -> Void
    ) {
        self.update = update
        self.finish = finish
    }

    /// Combines two checks, which the body must both pass.
    func and(_ other: BodyCheck) -> BodyCheck {
        BodyCheck {
            update($0)
            other.update($0)
        } finish: {
            try finish()
            try other.finish()
        }
    }

    /// A check of the body's digest.
    init(
        _ algorithm: MessageDigest.Algorithm,
        verify: @escaping @Sendable (_ digest: [UInt8]) throws -> Void
    ) {
        let hash = RunningHash(algorithm)
        self.init(update: { $0.withUnsafeBytes { hash.update($0) } }, finish: { try verify(hash.bytes) })
    }
}

/// A body that is checked once it has been read whole; an incorrect one ends with an error.
final class CheckedBody: ResponseBodySource {
    private let body: ResponseBody
    private let check: BodyCheck

    init(_ body: ResponseBody, _ check: BodyCheck) {
        self.body = body
        self.check = check
    }

    func next() async throws -> ResponseBodyElement {
        if let chunk = try await body.next() {
            check.update(chunk)
            return .bytes(chunk)
        }
        try check.finish()
        return .end(body.end ?? ExchangeEnd())
    }

    func cancel() { body.cancel() }
}

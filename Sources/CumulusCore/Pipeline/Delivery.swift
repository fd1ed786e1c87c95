// SPDX-License-Identifier: Apache-2.0

/// Stage 3h, unread body -> bytes in memory, bounded.
struct Delivery: Sendable {
    /// How much of an unsuccessful response's body is kept.
    static let errorLimit = 65_536

    let limit: Int

    /// Takes the whole body into memory; a longer one than `limit` is cut off or fails, as `cutsOff` says.
    func collect(_ body: ResponseBody, upTo limit: Int, cutsOff: Bool) async throws -> Collected {
        if let expected = body.expectedLength, expected > limit, !cutsOff { throw tooLarge(limit, body) }
        if let whole = body.takeWhole() { return try fit(whole, limit, cutsOff, body) }
        guard let first = try await body.next() else { return Collected(bytes: .empty, isComplete: true) }
        guard let second = try await body.next() else { return try fit(first, limit, cutsOff, body) }
        var bytes: [UInt8] = []
        // What a head announces is trusted only so far: memory is taken as bytes come.
        bytes.reserveCapacity(min(Int(body.expectedLength ?? 0), limit, 16 << 20))
        var next: ByteChunk? = first
        var following: ByteChunk? = second
        while let chunk = next {
            guard bytes.count + chunk.count <= limit else {
                guard cutsOff else { throw tooLarge(limit, body) }
                chunk.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(limit - bytes.count)) }
                body.cancel()
                return Collected(bytes: ByteChunk(bytes), isComplete: false)
            }
            chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
            next = following
            following = next == nil ? nil : try await body.next()
        }
        return Collected(bytes: ByteChunk(bytes), isComplete: true)
    }

    /// Bytes of a body, and whether they are all of it.
    struct Collected: Sendable {
        let bytes: ByteChunk
        let isComplete: Bool
    }

    private func fit(_ chunk: ByteChunk, _ limit: Int, _ cutsOff: Bool, _ body: ResponseBody) throws -> Collected {
        guard chunk.count > limit else { return Collected(bytes: chunk, isComplete: true) }
        guard cutsOff else { throw tooLarge(limit, body) }
        let kept = chunk.withUnsafeBytes { [UInt8]($0.prefix(limit)) }
        return Collected(bytes: ByteChunk(kept), isComplete: false)
    }

    private func tooLarge(_ limit: Int, _ body: ResponseBody) -> BodyTooLarge {
        body.cancel()
        return BodyTooLarge(limit: limit)
    }
}

/// A body that exceeds the bytes that may be taken into memory.
struct BodyTooLarge: Error, CustomStringConvertible {
    let limit: Int

    var description: String { "the body is longer than the \(limit) bytes that `maxBodySize` allows in memory" }
}

// SPDX-License-Identifier: Apache-2.0

/// Reads a body into memory, up to a limit.
struct Delivery: Sendable {
    /// The number of bytes of an unsuccessful response's body that are read.
    static let errorLimit = 65_536
    /// The number of bytes by which a body may exceed the limit before it is decoded.
    private static let codingAllowance: Int64 = 1 << 20

    let limit: Int

    /// How much of a body is read.
    struct Bound: Sendable {
        let limit: Int
        /// Whether a longer body is cut off; otherwise it fails.
        let cutsOff: Bool
    }

    /// Takes a body that has arrived as a whole, as most have; `nil` if it hasn't.
    func whole(of body: ResponseBody, upTo bound: Bound) throws -> CollectedBody? {
        if let expected = body.expectedLength, expected > bound.limit, !bound.cutsOff { throw tooLarge(bound, body) }
        guard let chunk = body.takeWhole() else { return nil }
        return try fit(chunk, of: body, upTo: bound)
    }

    /// Reads the whole body into memory.
    ///
    /// A body longer than the bound is cut off or fails.
    func collect(_ body: ResponseBody, upTo bound: Bound) async throws -> CollectedBody {
        var bytes: [UInt8] = []
        do {
            return try await collect(body, upTo: bound, into: &bytes)
        } catch  where bound.cutsOff && !(error is CancellationError) {
            throw InterruptedBody(cause: error, kept: CollectedBody(bytes: ByteChunk(bytes), isComplete: false))
        }
    }

    private func collect(
        _ body: ResponseBody,
        upTo bound: Bound,
        into bytes: inout [UInt8]
    ) async throws -> CollectedBody {
        guard let first = try await body.next() else { return CollectedBody(bytes: .empty, isComplete: true) }
        // The next read may take long.
        if first.count > bound.limit || bound.cutsOff && isFull(first.count, bound, body) {
            return try cut(first, of: body, upTo: bound)
        }
        guard let second = try await following(first, of: body, upTo: bound, into: &bytes) else {
            return CollectedBody(bytes: first, isComplete: true)
        }
        // The announced length is trusted only up to a point: memory is allocated as bytes arrive.
        bytes.reserveCapacity(min(max(0, Int(clamping: body.expectedLength ?? 0)), bound.limit, 16 << 20))
        first.withUnsafeBytes { bytes.append(contentsOf: $0) }
        var next: ByteChunk? = second
        while let chunk = next {
            let isTooLong = chunk.count > bound.limit - bytes.count
            guard bound.cutsOff || !isTooLong && !isOverlong(body, bound) else { throw tooLarge(bound, body) }
            try checkProportion(bytes.count, of: body, upTo: bound)
            makeRoom(for: chunk, in: &bytes)
            chunk.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(bound.limit - bytes.count)) }
            if bound.cutsOff, isTooLong || isFull(bytes.count, bound, body) {
                body.cancel()
                return CollectedBody(bytes: ByteChunk(bytes), isComplete: false)
            }
            next = try await body.next()
        }
        return CollectedBody(bytes: ByteChunk(bytes), isComplete: true)
    }

    /// Reserves memory for a long body.
    ///
    /// Growing in steps would copy the body again and again; unused memory costs nothing.
    private func makeRoom(for chunk: ByteChunk, in bytes: inout [UInt8]) {
        guard bytes.count >= 1 << 20, bytes.capacity < 16 << 20, bytes.capacity - bytes.count < chunk.count else {
            return
        }
        bytes.reserveCapacity(min(limit, 16 << 20))
    }

    /// Whether the limit is reached and the body continues, as far as is known.
    private func isFull(_ count: Int, _ bound: Bound, _ body: ResponseBody) -> Bool {
        count >= bound.limit && body.expectedLength != Int64(count) || isOverlong(body, bound)
    }

    /// Whether a coded body is longer than the limit allows, although fewer bytes have been decoded so far.
    private func isOverlong(_ body: ResponseBody, _ bound: Bound) -> Bool {
        guard let wire = body.wire else { return false }
        return wire.value - Delivery.codingAllowance > Int64(bound.limit)
    }

    /// Refuses a body that decodes to far more bytes than were received.
    ///
    /// Without a limit, the caller accepts any length.
    private func checkProportion(_ count: Int, of body: ResponseBody, upTo bound: Bound) throws {
        guard bound.limit < .max, let excess = body.wire?.excess(of: count) else { return }
        body.cancel()
        throw ContentCodingProblem("the body \(excess)", kind: .disproportionate)
    }

    /// The piece after the first.
    ///
    /// If the body is interrupted there and may be cut off, the first piece is kept.
    private func following(
        _ first: ByteChunk,
        of body: ResponseBody,
        upTo bound: Bound,
        into bytes: inout [UInt8]
    ) async throws -> ByteChunk? {
        do {
            return try await body.next()
        } catch  where bound.cutsOff {
            bytes = first.withUnsafeBytes { [UInt8]($0.prefix(bound.limit)) }
            throw error
        }
    }

    /// An interrupted body, and the bytes that had arrived.
    struct InterruptedBody: Error {
        let cause: any Error
        let kept: CollectedBody
    }

    private func fit(
        _ chunk: ByteChunk,
        of body: ResponseBody,
        upTo bound: Bound
    ) throws -> CollectedBody {
        if chunk.count <= bound.limit { return CollectedBody(bytes: chunk, isComplete: true) }
        return try cut(chunk, of: body, upTo: bound)
    }

    /// The beginning of a body that consists of one piece so far.
    private func cut(
        _ chunk: ByteChunk,
        of body: ResponseBody,
        upTo bound: Bound
    ) throws -> CollectedBody {
        guard bound.cutsOff else { throw tooLarge(bound, body) }
        body.cancel()
        let kept = chunk.withUnsafeBytes { [UInt8]($0.prefix(bound.limit)) }
        return CollectedBody(bytes: ByteChunk(kept), isComplete: false)
    }

    private func tooLarge(_ bound: Bound, _ body: ResponseBody) -> BodyTooLarge {
        body.cancel()
        return BodyTooLarge(limit: bound.limit)
    }
}

/// A body that exceeds the limit for bytes in memory.
struct BodyTooLarge: CodedProblem {
    let limit: Int

    var code: CumulusError.Code { .bodyTooLarge }

    var description: String { "the body is longer than the \(limit) bytes that `maxBodySize` allows in memory" }
}

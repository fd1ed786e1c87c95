// SPDX-License-Identifier: Apache-2.0

/// Reads a body into memory, up to a limit.
struct Delivery: Sendable {
    /// The number of bytes of an unsuccessful response's body that are read.
    static let errorLimit = 65_536
    /// The number of bytes by which a body may exceed the limit before it is decoded.
    private static let codingAllowance: Int64 = 1 << 20

    let limit: Int

    /// Takes a body that has arrived as a whole, as most have; `nil` if it hasn't.
    func whole(of body: ResponseBody, upTo limit: Int, cutsOff: Bool) throws -> CollectedBody? {
        if let expected = body.expectedLength, expected > limit, !cutsOff { throw tooLarge(limit, body) }
        return try body.takeWhole().map { try fit($0, of: body, upTo: limit, cutsOff: cutsOff) }
    }

    /// Reads the whole body into memory.
    ///
    /// A body longer than `limit` is cut off if `cutsOff` is true, and otherwise fails.
    func collect(_ body: ResponseBody, upTo limit: Int, cutsOff: Bool) async throws -> CollectedBody {
        var bytes: [UInt8] = []
        do {
            return try await collect(body, upTo: limit, cutsOff: cutsOff, into: &bytes)
        } catch  where cutsOff && !(error is CancellationError) {
            throw BrokenOff(cause: error, kept: CollectedBody(bytes: ByteChunk(bytes), isComplete: false))
        }
    }

    private func collect(
        _ body: ResponseBody,
        upTo limit: Int,
        cutsOff: Bool,
        into bytes: inout [UInt8]
    ) async throws -> CollectedBody {
        guard let first = try await body.next() else { return CollectedBody(bytes: .empty, isComplete: true) }
        // The next read may take long.
        if first.count > limit || cutsOff && isFull(first.count, limit, body) {
            return try cut(first, of: body, upTo: limit, cutsOff: cutsOff)
        }
        guard let second = try await following(first, of: body, upTo: limit, cutsOff: cutsOff, into: &bytes) else {
            return CollectedBody(bytes: first, isComplete: true)
        }
        // The announced length is trusted only up to a point: memory is allocated as bytes arrive.
        bytes.reserveCapacity(min(max(0, Int(clamping: body.expectedLength ?? 0)), limit, 16 << 20))
        first.withUnsafeBytes { bytes.append(contentsOf: $0) }
        var next: ByteChunk? = second
        while let chunk = next {
            let isTooLong = chunk.count > limit - bytes.count
            guard cutsOff || !isTooLong && !isOverlong(body, limit) else { throw tooLarge(limit, body) }
            try checkProportion(bytes.count, of: body, upTo: limit)
            makeRoom(for: chunk, in: &bytes)
            chunk.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(limit - bytes.count)) }
            if cutsOff, isTooLong || isFull(bytes.count, limit, body) {
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
    private func isFull(_ count: Int, _ limit: Int, _ body: ResponseBody) -> Bool {
        count >= limit && body.expectedLength != Int64(count) || isOverlong(body, limit)
    }

    /// Whether a coded body is longer than the limit allows, although fewer bytes have been decoded so far.
    private func isOverlong(_ body: ResponseBody, _ limit: Int) -> Bool {
        guard let wire = body.wire else { return false }
        return wire.value - Delivery.codingAllowance > Int64(limit)
    }

    /// Refuses a body that decodes to far more bytes than were received.
    ///
    /// Without a limit, the caller accepts any length.
    private func checkProportion(_ count: Int, of body: ResponseBody, upTo limit: Int) throws {
        guard limit < .max, let excess = body.wire?.excess(of: count) else { return }
        body.cancel()
        throw ContentCodingProblem("the body \(excess)")
    }

    /// The piece after the first.
    ///
    /// If the body is interrupted there and may be cut off, the first piece is kept.
    private func following(
        _ first: ByteChunk,
        of body: ResponseBody,
        upTo limit: Int,
        cutsOff: Bool,
        into bytes: inout [UInt8]
    ) async throws -> ByteChunk? {
        do {
            return try await body.next()
        } catch  where cutsOff {
            bytes = first.withUnsafeBytes { [UInt8]($0.prefix(limit)) }
            throw error
        }
    }

    /// An interrupted body, and the bytes that had arrived.
    struct BrokenOff: Error {
        let cause: any Error
        let kept: CollectedBody
    }

    private func fit(
        _ chunk: ByteChunk,
        of body: ResponseBody,
        upTo limit: Int,
        cutsOff: Bool
    ) throws -> CollectedBody {
        if chunk.count <= limit { return CollectedBody(bytes: chunk, isComplete: true) }
        return try cut(chunk, of: body, upTo: limit, cutsOff: cutsOff)
    }

    /// The beginning of a body that consists of one piece so far.
    private func cut(
        _ chunk: ByteChunk,
        of body: ResponseBody,
        upTo limit: Int,
        cutsOff: Bool
    ) throws -> CollectedBody {
        guard cutsOff else { throw tooLarge(limit, body) }
        body.cancel()
        let kept = chunk.withUnsafeBytes { [UInt8]($0.prefix(limit)) }
        return CollectedBody(bytes: ByteChunk(kept), isComplete: false)
    }

    private func tooLarge(_ limit: Int, _ body: ResponseBody) -> BodyTooLarge {
        body.cancel()
        return BodyTooLarge(limit: limit)
    }
}

/// A body that exceeds the limit for bytes in memory.
struct BodyTooLarge: CodedProblem {
    let limit: Int

    var code: CumulusError.Code { .bodyTooLarge }

    var description: String { "the body is longer than the \(limit) bytes that `maxBodySize` allows in memory" }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension ResponseStream {
    /// Reads the remaining bytes into memory, and returns them as a response with this one's status and header fields.
    ///
    /// The response doesn't include bytes that were read before: pieces, lines and values, and bytes that a reader of
    /// parts or events has read ahead.
    ///
    /// - Returns: The response, regardless of its status.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/bodyTooLarge`` if the body exceeds
    ///   ``Resource/Settings/maxBodySize``; the exchange then ends. `CancellationError` when the task is cancelled.
    public func collect() async throws -> Response {
        var bytes: [UInt8] = []
        let iterator = makeAsyncIterator()
        while let piece = try await iterator.next() {
            let isTooLong = piece.count > limit - bytes.count
            if let excess = isTooLong ? BodyTooLarge(limit: limit).description : excess(of: bytes.count) {
                cancel()
                throw CumulusError(.bodyTooLarge, stage: .delivery, excess, request: request)
            }
            piece.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return response(with: CollectedBody(bytes: ByteChunk(bytes), isComplete: true))
    }

    /// Requires one of several media types.
    ///
    /// - Throws: ``CumulusError`` with the first 64 KiB of another document: the service's own error if a decoder finds
    ///   it there, otherwise ``CumulusError/Code/decoding``.
    func require(_ types: [MediaType], within limit: Duration?, on clock: any RequestClock) async throws {
        let mediaType = mediaType
        if let mediaType, types.contains(where: { $0.includes(mediaType) }) { return }
        let watch = limit.map { SilenceWatch(self, limit: $0, on: clock) }
        let body = await excerpt(watch)
        cancel()
        try Task.checkCancellation()
        let response = response(with: body)
        if let failure = response.failure { throw failure }
        let problem = MediaTypeMismatch(mediaType, accepting: types)
        throw Stage.describe(problem, .decoding, .decoding, request: request, response: response)
    }

    /// The beginning of the body, as far as it arrives.
    private func excerpt(_ watch: SilenceWatch?) async -> CollectedBody {
        var bytes: [UInt8] = []
        let iterator = makeAsyncIterator()
        // For all of it: a server that sends a byte now and then must not hold the connection.
        watch?.begin()
        defer { watch?.end() }
        while bytes.count < Delivery.errorLimit {
            guard let piece = try? await iterator.next() else { break }
            piece.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(Delivery.errorLimit - bytes.count)) }
        }
        return CollectedBody(bytes: ByteChunk(bytes), isComplete: end != nil)
    }
}

extension MediaType {
    /// Whether another media type is this one or within this range, such as `text/*`.
    ///
    /// Parameters don't matter.
    fileprivate func includes(_ other: MediaType) -> Bool {
        self == MediaType.anything || type == other.type && (subtype == "*" || subtype == other.subtype)
    }

    private static let anything = MediaType("*", "*")
}

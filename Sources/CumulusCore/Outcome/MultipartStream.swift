// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// The parts of a body as they arrive.
///
/// While no code reads them, the server has to wait.
///
/// A stream has one reader at a time. Read a part's content before requesting the next part, which skips the remaining
/// bytes. Leaving a loop doesn't end the exchange: a new loop over the stream continues with the next part, and a new
/// loop over a part continues with its next bytes.
public struct MultipartStream: Sendable, AsyncSequence {
    /// A part whose content has not been read yet.
    public typealias Element = Part

    let source: MultipartSource

    /// Creates a stream of parts from the bytes of any source.
    ///
    /// - Parameters:
    ///   - mediaType: The body's media type, with the boundary.
    ///   - limits: The limits for the parts.
    ///   - nextBytes: Returns the next bytes; `nil` after the last.
    /// - Throws: ``MultipartProblem`` if the media type is not multipart, or has no boundary.
    public init(
        of mediaType: MediaType?,
        limits: MultipartLimits = MultipartLimits(),
        nextBytes: @escaping @Sendable () async throws -> ByteChunk?
    ) throws {
        self.init(try MultipartProgress(of: mediaType, limits: limits), nextBytes: nextBytes)
    }

    init(_ progress: MultipartProgress, nextBytes: @escaping @Sendable () async throws -> ByteChunk?) {
        source = MultipartSource(progress, nextBytes: nextBytes)
    }

    /// Creates a reader of the parts.
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Reads the parts.
    public struct Iterator: AsyncIteratorProtocol {
        let source: MultipartSource

        /// Returns the next part; `nil` after the last.
        ///
        /// - Throws: ``MultipartProblem``, or the error of the bytes' source.
        public func next() async throws -> Part? { try await source.nextPart() }
    }

    /// A part: its header fields, and its content as it arrives.
    public struct Part: BodyPart, AsyncSequence {
        /// A piece of the content.
        public typealias Element = ByteChunk

        /// The part's header fields.
        public let headers: HTTPFields
        let index: Int
        let source: MultipartSource

        /// Creates a reader of the part's content.
        public func makeAsyncIterator() -> Iterator { Iterator(index: index, source: source) }

        /// Reads the remaining content into memory.
        ///
        /// - Throws: ``MultipartProblem`` of the kind `tooLarge` for more than ``MultipartLimits/partSize`` bytes.
        public func collect() async throws -> ReceivedPart {
            var bytes: [UInt8] = []
            while let chunk = try await source.nextBytes(of: index) {
                guard bytes.count + chunk.count <= source.limits.partSize else {
                    let limit = source.limits.partSize
                    throw MultipartProblem(.tooLarge, part: index, "it is longer than \(limit) bytes")
                }
                chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
            }
            return ReceivedPart(headers: headers, bytes: ByteChunk(bytes))
        }

        /// Reads the content of a part.
        public struct Iterator: AsyncIteratorProtocol {
            let index: Int
            let source: MultipartSource

            /// Returns the next piece; `nil` after the last.
            ///
            /// - Throws: ``MultipartProblem``, or the error of the bytes' source.
            public func next() async throws -> ByteChunk? { try await source.nextBytes(of: index) }
        }
    }
}

extension ResponseStream {
    /// Returns the parts of a multipart body, as they arrive.
    ///
    /// Read either the parts or the stream's own pieces: both read the same body. If you call it again, the new stream
    /// continues at the first stream's position, with the first stream's limits.
    ///
    /// - Throws: ``CumulusError/Code/decoding`` if the body's type is not multipart; reading the parts throws
    ///   ``MultipartProblem``.
    public func parts(limits: MultipartLimits = MultipartLimits()) throws -> MultipartStream {
        let type = headers[.contentType].flatMap { MediaType(parsing: $0) }
        let progress = try Stage.run(.decoding, .decoding, request: request) {
            if let problem = contentCodingProblem { throw problem }
            return try ahead.progress { try MultipartProgress(of: type, limits: limits) }
        }
        // The closure must not retain the stream itself, which retains the progress.
        let pieces = makeAsyncIterator()
        return MultipartStream(progress) { try await pieces.next() }
    }
}

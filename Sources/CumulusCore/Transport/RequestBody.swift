// SPDX-License-Identifier: Apache-2.0

/// What a request carries: nothing, bytes, a part of a file, or a stream.
public enum RequestBody: Sendable {
    /// No body; no `Content-Length` unless the method calls for one (RFC 9110 section 8.6).
    case none
    /// Bytes in memory.
    case bytes(ByteChunk)
    /// A file, or a range of it, read while it is sent.
    case file(FileBody)
    /// Bytes that are produced while they are sent.
    case stream(StreamBody)

    /// Its length in bytes; `nil` where only the end will tell, which is sent chunked.
    public var length: Int64? {
        switch self {
        case .none: 0
        case .bytes(let chunk): Int64(chunk.count)
        case .file(let file): file.length
        case .stream(let stream): stream.length
        }
    }

    /// Whether the same body can be sent again, for a redirect or a retry.
    public var isReplayable: Bool {
        switch self {
        case .none, .bytes, .file: true
        case .stream(let stream): stream.replay != .once
        }
    }
}

/// A range of a file as a request body.
public struct FileBody: Sendable, Hashable {
    /// The file's path.
    public let path: String
    /// The first byte to send.
    public let offset: Int64
    /// How many bytes to send.
    ///
    /// A file that ends sooner is a failure, never a short body.
    public let length: Int64
    /// How long the whole file must be when it is opened and while it is sent; `nil` for any that has the range.
    ///
    /// A transport that finds another size before the last piece doesn't send that piece: the server sees a body that
    /// breaks off, and the caller ``UploadProblem/Kind/changed``.
    public let wholeLength: Int64?

    /// Names a range of a file; the file is opened when it is sent.
    public init(path: String, offset: Int64 = 0, length: Int64, wholeLength: Int64? = nil) {
        self.path = path
        self.offset = offset
        self.length = length
        self.wholeLength = wholeLength
    }
}

/// Bytes that are produced while they are sent.
public struct StreamBody: Sendable {
    /// Whether a stream can be produced again.
    public enum Replay: Sendable, Hashable {
        /// Only once: a redirect that keeps the body, or a retry, is refused.
        case once
        /// From its start, any number of times.
        case restartable
        /// From any offset.
        case seekable
    }

    /// The length in bytes; `nil` sends the body chunked.
    public let length: Int64?
    /// Whether it can be produced again.
    public let replay: Replay
    /// Writes the bytes from an offset on (0 unless seekable), returning after the last of them.
    ///
    /// The transport runs it in one task that belongs to the exchange; an error it throws ends the exchange.
    public let contents: @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void

    /// Makes a stream body of a function that writes it.
    public init(
        length: Int64? = nil,
        replay: Replay = .once,
        contents: @escaping @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void
    ) {
        self.length = length
        self.replay = replay
        self.contents = contents
    }
}

/// Where a stream body is written to; a write returns when the transport can take more.
public struct BodyWriter: Sendable {
    private let send: @Sendable (ByteChunk) async throws -> Void

    /// Makes a writer of a transport's function.
    public init(_ send: @escaping @Sendable (ByteChunk) async throws -> Void) { self.send = send }

    /// Sends bytes, waiting while the peer is slow.
    ///
    /// - Throws: An error when the exchange has ended; the producer should let it pass.
    public func write(_ chunk: ByteChunk) async throws { try await send(chunk) }
}

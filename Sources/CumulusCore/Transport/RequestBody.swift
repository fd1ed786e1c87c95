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

    /// Its length in bytes; `nil` if only the end will tell, which is sent chunked.
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

    /// Whether it can be sent now: always, except for a stream that can be produced once only and was begun.
    ///
    /// A once-only body that a failed attempt didn't touch can still be sent.
    public var canBeSent: Bool {
        if case .stream(let stream) = self { stream.canBeSent } else { true }
    }
}

extension RequestBody {
    /// Bytes of an async sequence, sent as they arrive, once.
    ///
    /// - Parameters:
    ///   - chunks: The bytes.
    ///   - length: How many there are in all; `nil` sends the body chunked.
    /// - Returns: The body.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int64? = nil
    ) -> RequestBody where Chunks.Element: ByteStorage {
        .stream(
            StreamBody(length: length) { _, writer in
                for try await chunk in chunks { try await writer.write(ByteChunk(chunk)) }
            }
        )
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
    public init(path: some Locator, offset: Int64 = 0, length: Int64, wholeLength: Int64? = nil) {
        self.path = path.locatorText
        self.offset = offset
        self.length = length
        self.wholeLength = wholeLength
    }
}

/// Bytes that are produced while they are sent.
public struct StreamBody: Sendable {
    /// Whether a stream can be produced again.
    public enum Replay: Sendable, Hashable {
        /// Only once: what would send it again, an interceptor for example, gets ``BodyAlreadySent``.
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
    /// Whether a once-only stream was begun, shared by all its copies; `nil` for others.
    private let beginning: StreamBeginning?

    /// Makes a stream body of a function that writes it.
    ///
    /// A stream that is produced `once` keeps count of that: its second beginning throws ``BodyAlreadySent``, whoever
    /// asks for it, so that no server gets an empty body in its place.
    public init(
        length: Int64? = nil,
        replay: Replay = .once,
        contents: @escaping @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void
    ) {
        self.length = length
        self.replay = replay
        guard replay == .once else {
            beginning = nil
            self.contents = contents
            return
        }
        let beginning = StreamBeginning()
        self.beginning = beginning
        self.contents = { offset, writer in
            guard beginning.claim() else { throw BodyAlreadySent() }
            try await contents(offset, writer)
        }
    }

    /// The same stream with each write seen by something between it and the transport.
    func through(
        _ contents:
            @escaping @Sendable (
                _ offset: Int64, _ writer: BodyWriter,
                _ own: @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void
            ) async throws -> Void
    ) -> StreamBody {
        let own = self.contents
        return StreamBody(length: length, replay: replay, beginning: beginning) { offset, writer in
            try await contents(offset, writer, own)
        }
    }

    /// The same stream with other bytes in the place of its own, always from the start, and as many as there are.
    func recoded(
        _ contents:
            @escaping @Sendable (
                _ writer: BodyWriter,
                _ own: @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void
            ) async throws -> Void
    ) -> StreamBody {
        let own = self.contents
        let replay = replay == .once ? Replay.once : .restartable
        return StreamBody(length: nil, replay: replay, beginning: beginning) { _, writer in
            try await contents(writer, own)
        }
    }

    private init(
        length: Int64?,
        replay: Replay,
        beginning: StreamBeginning?,
        contents: @escaping @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void
    ) {
        self.length = length
        self.replay = replay
        self.beginning = beginning
        self.contents = contents
    }

    /// Whether the stream can be produced now: a once-only one that was begun can't.
    var canBeSent: Bool { beginning?.isClaimed != true }
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

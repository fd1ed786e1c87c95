// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
import Synchronization

/// A request's body: nothing, bytes, a range of a file, or a stream.
///
/// It is a single reference, since each stage of a request copies it.
public indirect enum RequestBody: Sendable {
    /// No body. `Content-Length` is omitted unless the method requires it (RFC 9110 section 8.6).
    case none
    /// Bytes in memory.
    case bytes(ByteChunk)
    /// A file, or a range of it, read while it is sent.
    case file(FileBody)
    /// Bytes that are produced while they are sent.
    case stream(StreamBody)

    /// The length in bytes; `nil` if only the end determines it, in which case the body is sent chunked.
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

    /// Whether the body can be sent now: always, except for a once-only stream that was started.
    ///
    /// A once-only body that a failed attempt didn't read can still be sent.
    public var canBeSent: Bool {
        if case .stream(let stream) = self { stream.canBeSent } else { true }
    }
}

extension RequestBody {
    /// Creates a body with the bytes of an async sequence, which are sent once, as they arrive.
    ///
    /// - Parameters:
    ///   - chunks: The bytes.
    ///   - length: The total length; `nil` sends the body chunked.
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
    /// The offset of the first byte to send.
    public let offset: Int64
    /// The number of bytes to send.
    ///
    /// If the file ends earlier, the request fails; a short body is never sent.
    public let length: Int64
    /// The required length of the whole file when it is opened and while it is sent; `nil` accepts any length that
    /// includes the range.
    ///
    /// A transport that finds a different length before the last piece doesn't send that piece: the server sees an
    /// interrupted body, and the caller receives ``UploadProblem/Kind/changed``.
    public let wholeLength: Int64?

    /// Creates a body from a file's range; the file is opened when it is sent.
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
        /// The stream can be produced only once: a second use, for example by an interceptor, throws
        /// ``BodyAlreadySent``.
        case once
        /// The stream can be produced from its start, any number of times.
        case restartable
        /// The stream can be produced from any offset.
        case seekable
    }

    /// The length in bytes; `nil` sends the body chunked.
    ///
    /// It is `nil` for a body with trailers.
    public let length: Int64?
    /// Whether the body can be produced again.
    public let replay: Replay
    /// A function that writes the bytes from an offset (0 unless the stream is seekable), and returns after the last
    /// byte.
    ///
    /// The transport runs it in one task that belongs to the exchange; an error that it throws ends the exchange.
    public let contents: @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void
    /// A function that creates the trailer fields, which follow the last byte (RFC 9110 section 6.5); `nil` for a body
    /// without trailers.
    ///
    /// The transport calls it after ``contents`` has returned, in the same task, each time that the body is sent. An
    /// error that it throws ends the exchange, and the server doesn't receive a complete body.
    public let trailers: (@Sendable () async throws -> HTTPFields)?
    /// Whether a once-only stream was started, shared by all its copies; `nil` for others.
    let beginning: StreamBeginning?

    /// Creates a stream body from a function that writes it.
    ///
    /// A stream that is produced `once` records its start: a second start throws ``BodyAlreadySent``, no matter what
    /// causes it, so that no server receives an empty body instead.
    ///
    /// - Parameters:
    ///   - length: The length in bytes; `nil` sends the body chunked. A body with trailers is always sent chunked.
    ///   - replay: Whether `contents` can be called again.
    ///   - contents: Writes the bytes from an offset.
    ///   - trailers: Creates the trailer fields after the last byte. Servers may ignore fields that the request's
    ///     `Trailer` header doesn't list; ``Payload/trailer(_:_:)`` sets it. Default: none.
    public init(
        length: Int64? = nil,
        replay: Replay = .once,
        contents: @escaping @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void,
        trailers: (@Sendable () async throws -> HTTPFields)? = nil
    ) {
        self.length = trailers == nil ? length : nil
        self.replay = replay
        self.trailers = trailers
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

    /// The same stream with something between it and the transport that sees each write.
    func through(
        _ contents:
            @escaping @Sendable (
                _ offset: Int64, _ writer: BodyWriter,
                _ own: @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void
            ) async throws -> Void
    ) -> StreamBody {
        let own = self.contents
        return StreamBody(self, length: length, replay: replay) { offset, writer in
            try await contents(offset, writer, own)
        }
    }

    /// The same stream with its bytes replaced by others of unknown length, always from the start.
    func recoded(
        _ contents:
            @escaping @Sendable (
                _ writer: BodyWriter,
                _ own: @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void
            ) async throws -> Void
    ) -> StreamBody {
        let own = self.contents
        let replay = replay == .once ? Replay.once : .restartable
        return StreamBody(self, length: nil, replay: replay) { _, writer in
            try await contents(writer, own)
        }
    }

    /// Creates a stream with other contents; it shares the start and the trailers of the original.
    private init(
        _ original: StreamBody,
        length: Int64?,
        replay: Replay,
        contents: @escaping @Sendable (_ offset: Int64, _ writer: BodyWriter) async throws -> Void
    ) {
        self.length = length
        self.replay = replay
        self.contents = contents
        trailers = original.trailers
        beginning = original.beginning
    }

    /// Creates a stream with other trailers; it shares the start and the contents of the original.
    init(_ original: StreamBody, trailers: (@Sendable () async throws -> HTTPFields)?) {
        length = nil
        replay = original.replay
        contents = original.contents
        self.trailers = trailers
        beginning = original.beginning
    }

    /// Whether the stream can be produced now: false for a once-only one that was started.
    var canBeSent: Bool { beginning?.isTaken != true }

    /// Reserves a once-only stream immediately, before ``contents`` runs in a task, so that it can't be sent elsewhere.
    ///
    /// - Throws: ``BodyAlreadySent`` if it was reserved or started before.
    public func reserve() throws {
        if let beginning, !beginning.reserve() { throw BodyAlreadySent() }
    }
}

/// The writer of a stream body; a write returns when the transport can take more.
public struct BodyWriter: Sendable {
    private let send: @Sendable (ByteChunk) async throws -> Void

    /// Creates a writer from a transport's function.
    public init(_ send: @escaping @Sendable (ByteChunk) async throws -> Void) { self.send = send }

    /// Sends bytes, waiting while the peer is slow.
    ///
    /// - Throws: An error when the exchange has ended; the producer should rethrow it.
    public func write(_ chunk: ByteChunk) async throws { try await send(chunk) }
}

/// The error for a body that can be produced only once, but was needed a second time.
///
/// The request fails with ``CumulusError/Code/requestBody`` before anything is sent; this error is the cause. Make the
/// stream ``StreamBody/Replay/restartable`` if its producer can start over.
public struct BodyAlreadySent: Error, Sendable, Hashable, CustomStringConvertible {
    /// Creates the error, for a transport that repeats requests.
    public init() {}

    /// A description of the problem.
    public var description: String { "the body can be sent only once, and it has already been sent or started" }
}

/// Records whether a once-only stream was started.
final class StreamBeginning: Sendable {
    // 0 at first, 1 if someone is about to start it, 2 once it was started.
    private let state = Atomic<UInt8>(0)

    var isTaken: Bool { state.load(ordering: .acquiring) > 0 }

    /// Takes it for whoever starts it next; false if someone else did so before.
    func reserve() -> Bool {
        state.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }

    /// Starts it; false if it was started before.
    func claim() -> Bool { state.exchange(2, ordering: .acquiringAndReleasing) < 2 }
}

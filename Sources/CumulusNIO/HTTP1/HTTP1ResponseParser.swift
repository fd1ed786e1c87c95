// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Parses responses of one HTTP/1.1 connection (RFC 9112) strictly: ambiguous ones are refused, and after an accepted
/// deviation the connection is not used again.
///
/// A state machine without I/O: `expect` a response, `receive` bytes, take events with `next` until it has none, and
/// call `finish` when the peer has closed. After an error the connection must be closed.
struct HTTP1ResponseParser {
    private enum State {
        /// No request is running. Left by `expect`.
        case idle
        /// Inside a status line or its fields, which `scanner` reads. Left at the empty line.
        case head
        /// `remaining` bytes of content follow, then `ended`.
        case fixed(remaining: Int64)
        /// Content until the peer closes.
        case untilClose
        /// Bytes of another protocol until the peer closes.
        case tunnel
        /// Before a chunk-size line. Left for `chunkContent`, or for `trailers` at size zero.
        case chunkSize
        /// Inside a chunk's content.
        case chunkContent(remaining: Int64)
        /// Before the CR LF after a chunk's content. Left for `chunkSize`.
        case chunkEnd
        /// After the last chunk; `scanner` reads the fields. Left at the empty line.
        case trailers
        /// The end was found but not yet delivered.
        case ending(HTTP1FieldSection?)
        /// The response is complete. Left by `expect`.
        case ended
        /// The response was refused; this state is final.
        case failed(HTTP1ProtocolError)
    }

    private let limits: HTTP1Limits
    private var state = State.idle
    // Not part of the state, which would be copied with its array.
    private var scanner = HTTP1HeadScanner.head
    private var kind = HTTP1RequestKind.ordinary
    private var buffer = ByteBuffer()
    private var informational: InformationalAllowance
    private var chunkMeter = HTTP1ChunkMeter()
    private var allowsReuse = true
    /// For how many seconds the peer keeps the connection after this response, if it said so.
    private(set) var idleSeconds: Int?
    /// Whether the parser accepted a deviation from the grammar.
    private(set) var wasLenient = false
    private var receivedAny = false

    init(limits: HTTP1Limits = HTTP1Limits()) {
        self.limits = limits
        informational = InformationalAllowance(atOnce: limits.informationalResponses, bytes: limits.informationalBytes)
    }

    /// Whether the last response is complete and the connection can carry another request.
    var isReusable: Bool {
        switch state {
        case .idle, .ended: allowsReuse && buffer.readableBytes == 0
        default: false
        }
    }

    /// Whether bytes arrived that belong to no response.
    var hasUnsolicitedBytes: Bool {
        switch state {
        case .idle, .ended: buffer.readableBytes > 0
        default: false
        }
    }

    /// Whether the first byte of the current response has arrived.
    var hasBegun: Bool { receivedAny }

    /// The bytes of content that have not arrived, in a body of known length; zero in others.
    var remainingContent: Int64 { if case .fixed(let remaining) = state { remaining } else { 0 } }

    /// Prepares for the response to a request of a kind.
    mutating func expect(_ kind: HTTP1RequestKind) {
        self.kind = kind
        beginHead()
        informational = InformationalAllowance(atOnce: limits.informationalResponses, bytes: limits.informationalBytes)
        receivedAny = buffer.readableBytes > 0
        chunkMeter = HTTP1ChunkMeter()
    }

    private mutating func beginHead() {
        state = .head
        scanner = .head
    }

    /// Notes what pays for informational responses: the bytes sent for the request, and the time since it began here.
    mutating func noteProgress(sent: Int64, after elapsed: Duration) { informational.earn(sent: sent, after: elapsed) }

    /// Takes bytes from the peer.
    mutating func receive(_ bytes: ByteBuffer) {
        if bytes.readableBytes == 0 { return }
        receivedAny = true
        if buffer.readableBytes == 0 { buffer = bytes } else { buffer.writeImmutableBuffer(bytes) }
    }

    /// The next event in the received bytes; `nil` if it needs more.
    mutating func next() throws(HTTP1ProtocolError) -> HTTP1ResponseEvent? {
        do {
            return try step()
        } catch {
            fail(error)
            throw error
        }
    }

    /// Handles the end of the connection: either the end of the response, or a truncation.
    mutating func finish() throws(HTTP1ProtocolError) -> HTTP1ResponseEvent? {
        switch state {
        case .idle, .ended:
            return nil
        case .untilClose, .tunnel:
            state = .ended
            return .end(trailers: nil)
        case .ending(let trailers):
            state = .ended
            return .end(trailers: trailers)
        case .failed(let error):
            throw error
        case .head:
            let error = receivedAny ? HTTP1ProtocolError.truncatedHead : .closedBeforeResponse
            fail(error)
            throw error
        case .fixed, .chunkSize, .chunkContent, .chunkEnd, .trailers:
            fail(.truncatedBody)
            throw .truncatedBody
        }
    }

    private mutating func fail(_ error: HTTP1ProtocolError) {
        state = .failed(error)
        allowsReuse = false
        buffer = ByteBuffer()
    }

    private mutating func step() throws(HTTP1ProtocolError) -> HTTP1ResponseEvent? {
        while true {
            switch state {
            case .idle, .ended:
                return nil
            case .failed(let error):
                throw error
            case .head:
                return try readHead()
            case .fixed(let remaining):
                guard let content = takeContent(upTo: remaining) else { return nil }
                let left = remaining - Int64(content.readableBytes)
                state = left == 0 ? .ending(nil) : .fixed(remaining: left)
                return .content(content)
            case .untilClose, .tunnel:
                guard let content = takeContent(upTo: .max) else { return nil }
                return .content(content)
            case .chunkSize:
                guard try readChunkSize() else { return nil }
            case .chunkContent(let remaining):
                guard let content = takeContent(upTo: remaining) else { return nil }
                let left = remaining - Int64(content.readableBytes)
                state = left == 0 ? .chunkEnd : .chunkContent(remaining: left)
                return .content(content)
            case .chunkEnd:
                guard try readChunkEnd() else { return nil }
            case .trailers:
                guard try readTrailers() else { return nil }
            case .ending(let trailers):
                state = .ended
                return .end(trailers: trailers)
            }
        }
    }

    private mutating func takeContent(upTo limit: Int64) -> ByteBuffer? {
        let count = Int(min(limit, Int64(buffer.readableBytes)))
        if count == 0 { return nil }
        guard count == buffer.readableBytes else { return buffer.readSlice(length: count) }
        let whole = buffer
        // Releasing the storage here lets the channel receive into it again once the slice is released.
        buffer = ByteBuffer()
        return whole
    }

    private mutating func readHead() throws(HTTP1ProtocolError) -> HTTP1ResponseEvent? {
        guard let length = try scan(), let bytes = buffer.readSlice(length: length) else { return nil }
        var head = HTTP1ResponseHead(
            status: scanner.status,
            minorVersion: scanner.minorVersion,
            reasonRange: scanner.reasonRange,
            isOK: scanner.isOK,
            fields: HTTP1FieldSection(bytes: bytes, entries: scanner.takeEntries())
        )
        if let leniency = scanner.leniency {
            wasLenient = true
            if !leniency.droppedNames.isEmpty { head.droppedFields = head.fields.names(at: leniency.droppedNames) }
            head.fields.unfold(leniency.foldedEntries)
        }
        if kind == .connect, 200..<300 ~= head.status {
            // RFC 9110 section 9.3.6: fields about a body are ignored here, even invalid ones.
            allowsReuse = false
            return .head(head, length: enter(.tunnel))
        }
        let framing = try HTTP1ResponseFraming(head.fields)
        head.isCoded = framing.isCoded
        let body = try framing.body(minorVersion: head.minorVersion, status: head.status, kind: kind)
        if framing.overridesLength { head.fields.remove("content-length") }
        if head.status < 200, body != .tunnel {
            guard informational.take(length) else {
                throw informational.isTooLarge
                    ? .informationalResponsesTooLarge(limit: limits.informationalBytes)
                    : .tooManyInformationalResponses(limit: informational.limit)
            }
            beginHead()
            return .informational(head)
        }
        idleSeconds = framing.idleSeconds
        let isReusable = framing.allowsReuse(minorVersion: head.minorVersion, status: head.status, body: body)
        allowsReuse = isReusable && !wasLenient
        return .head(head, length: enter(body))
    }

    private mutating func enter(_ body: HTTP1ResponseFraming.Body) -> Int64? {
        switch body {
        case .none, .fixed(0):
            state = .ending(nil)
            return 0
        case .fixed(let length):
            state = .fixed(remaining: length)
            return length
        case .chunked: state = .chunkSize
        case .untilClose: state = .untilClose
        case .tunnel: state = .tunnel
        }
        return nil
    }

    private mutating func readTrailers() throws(HTTP1ProtocolError) -> Bool {
        guard let length = try scan(), let bytes = buffer.readSlice(length: length) else { return false }
        let section = HTTP1FieldSection(bytes: bytes, entries: scanner.takeEntries()).withoutForbiddenTrailers()
        state = .ending(section.entries.isEmpty ? nil : section)
        return true
    }

    private mutating func scan() throws(HTTP1ProtocolError) -> Int? {
        // `withUnsafeReadableBytes` rethrows untyped, so the outcome is returned as a value.
        let (received, limits) = (buffer, limits)
        let outcome = received.withUnsafeReadableBytes { bytes in
            Result { () throws(HTTP1ProtocolError) in try scanner.scan(bytes, limits: limits) }
        }
        switch try outcome.get() {
        case .needsMore: return nil
        case .complete(let length): return length
        }
    }

    private mutating func readChunkSize() throws(HTTP1ProtocolError) -> Bool {
        let meter = chunkMeter
        let outcome = buffer.withUnsafeReadableBytes { bytes in
            Result { () throws(HTTP1ProtocolError) in try meter.sizeLine(bytes, limits: limits) }
        }
        guard let line = try outcome.get() else { return false }
        buffer.moveReaderIndex(forwardBy: line.length)
        try chunkMeter.account(for: line, limits: limits)
        if line.isPadded {
            wasLenient = true
            allowsReuse = false
        }
        if line.size == 0 {
            state = .trailers
            scanner = .trailers
        } else {
            state = .chunkContent(remaining: line.size)
        }
        return true
    }

    private mutating func readChunkEnd() throws(HTTP1ProtocolError) -> Bool {
        guard let first = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) else { return false }
        guard first == HTTP1Syntax.carriageReturn else { throw .malformedChunkEnd }
        guard buffer.readableBytes >= 2 else { return false }
        guard buffer.getInteger(at: buffer.readerIndex + 1, as: UInt8.self) == HTTP1Syntax.lineFeed else {
            throw .malformedChunkEnd
        }
        buffer.moveReaderIndex(forwardBy: 2)
        state = .chunkSize
        return true
    }
}

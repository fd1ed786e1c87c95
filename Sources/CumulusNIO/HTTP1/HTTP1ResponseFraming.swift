// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Determines from a head's fields how the body ends and whether the connection can serve another request.
///
/// Made when the head is complete; refuses ambiguous framing.
struct HTTP1ResponseFraming {
    /// How the body ends.
    enum Body: Equatable {
        case none
        case fixed(Int64)
        case chunked
        case untilClose
        case tunnel
    }

    private var contentLength: Int64?
    /// The number of Content-Length values.
    private var lengths = 0
    private var isChunked = false
    /// Whether the chunks replace a Content-Length, which is then wrong or useless (RFC 9112 section 6.3).
    var overridesLength: Bool { isChunked && lengths > 0 }
    private var asksToClose = false
    private var asksToKeepAlive = false
    /// Whether the content has codings, which don't affect the framing: they are found on the way.
    private(set) var isCoded = false
    /// For how many seconds the peer keeps the connection when it is idle, if it says so.
    private(set) var idleSeconds: Int?

    /// Reads the fields of a head.
    init(_ fields: HTTP1FieldSection) throws(HTTP1ProtocolError) {
        // `withUnsafeReadableBytes` rethrows untyped, so the outcome is returned as a value.
        self = try fields.bytes.withUnsafeReadableBytes { raw in
            Result { () throws(HTTP1ProtocolError) in
                var framing = HTTP1ResponseFraming()
                for entry in fields.entries where Self.concerns(entry.nameEnd - entry.nameStart) {
                    try framing.consider(
                        name: raw[Int(entry.nameStart)..<Int(entry.nameEnd)],
                        value: raw[Int(entry.valueStart)..<Int(entry.valueEnd)]
                    )
                }
                return framing
            }
        }.get()
    }

    private init() {}

    /// Whether a field with a name of this length may affect the framing.
    private static func concerns(_ length: UInt32) -> Bool {
        length == 10 || length == 14 || length == 16 || length == 17
    }

    /// Evaluates one field.
    private mutating func consider(
        name: Slice<UnsafeRawBufferPointer>,
        value: Slice<UnsafeRawBufferPointer>
    ) throws(HTTP1ProtocolError) {
        switch name.count {
        case 10 where HTTP1Syntax.matches(name, "connection"):
            // The value of most servers, whose only word is this one.
            if HTTP1Syntax.matches(value, "keep-alive") { return asksToKeepAlive = true }
            HTTP1Syntax.forEachElement(of: value) { element in
                if HTTP1Syntax.matches(element, "keep-alive") { asksToKeepAlive = true }
            }
            // In a malformed list, too, every word counts.
            HTTP1Syntax.forEachWord(of: value) { word in
                if HTTP1Syntax.matches(word, "close") { asksToClose = true }
            }
        case 10 where HTTP1Syntax.matches(name, "keep-alive"):
            HTTP1Syntax.forEachElement(of: value) { element in
                if let seconds = Self.idleSeconds(element) { idleSeconds = min(seconds, idleSeconds ?? .max) }
            }
        case 14 where HTTP1Syntax.matches(name, "content-length"):
            try considerContentLength(value)
        case 16 where HTTP1Syntax.matches(name, "content-encoding"):
            isCoded = true
        case 17 where HTTP1Syntax.matches(name, "transfer-encoding"):
            guard !isChunked, HTTP1Syntax.matches(value, "chunked") else { throw .unknownTransferCoding }
            isChunked = true
        default:
            break
        }
    }

    /// The body's framing for this status and request.
    ///
    /// A message of HTTP/1.1 with a single Content-Length next to `chunked` ends with its chunks (RFC 9112 section 6.3); in
    /// HTTP/1.0, which has no transfer codings, both are an error.
    func body(minorVersion: Int, status: Int, kind: HTTP1RequestKind) throws(HTTP1ProtocolError) -> Body {
        if status == 101 {
            guard kind == .upgrade else { throw .unexpectedUpgrade }
            return .tunnel
        }
        if status < 200 { return .none }
        if isChunked, lengths > 1 || lengths == 1 && minorVersion == 0 { throw .contentLengthWithTransferEncoding }
        if kind == .head || status == 204 || status == 304 { return .none }
        if isChunked { return .chunked }
        if let contentLength { return .fixed(contentLength) }
        return .untilClose
    }

    /// Whether another request may follow on the connection once this response is complete (RFC 9112 section 9.3).
    func allowsReuse(minorVersion: Int, status: Int, body: Body) -> Bool {
        if asksToClose || body == .untilClose || body == .tunnel { return false }
        // Another reader may have found another end (RFC 9112 section 6.3).
        if overridesLength { return false }
        // A peer that announces content for a response that can't have any may also send it.
        if status == 204, isChunked || (contentLength ?? 0) > 0 { return false }
        // RFC 9112 section 6.1: HTTP/1.0 has no transfer codings, so its framing can't be relied on.
        if minorVersion == 0 { return asksToKeepAlive && !isChunked }
        return true
    }

    /// A list of equal values counts as one (RFC 9110 section 8.6).
    private mutating func considerContentLength(
        _ value: Slice<UnsafeRawBufferPointer>
    ) throws(HTTP1ProtocolError) {
        var start = value.startIndex
        while true {
            var end = start
            while end < value.endIndex, value.base[end] != UInt8(ascii: ",") { end += 1 }
            let number = try Self.decimal(HTTP1Syntax.trimmed(value.base[start..<end]))
            if let contentLength, contentLength != number { throw .conflictingContentLengths }
            contentLength = number
            lengths += 1
            if end == value.endIndex { return }
            start = end + 1
        }
    }

    /// The number of a `timeout=N`; `nil` for other parameters.
    private static func idleSeconds(_ element: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let equals = element.firstIndex(of: UInt8(ascii: "=")),
            HTTP1Syntax.matches(HTTP1Syntax.trimmed(element[..<equals]), "timeout"),
            let seconds = try? decimal(HTTP1Syntax.trimmed(element[(equals + 1)...]))
        else { return nil }
        // A day is as good as for ever.
        return Int(min(seconds, 86_400))
    }

    private static func decimal(_ bytes: Slice<UnsafeRawBufferPointer>) throws(HTTP1ProtocolError) -> Int64 {
        if bytes.isEmpty { throw .malformedContentLength }
        var number: Int64 = 0
        for index in bytes.startIndex..<bytes.endIndex {
            guard let digit = HTTP1Syntax.digit(bytes.base[index]) else { throw .malformedContentLength }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(digit))
            if overflow || carry { throw .malformedContentLength }
            number = sum
        }
        return number
    }
}

/// The kinds of request that differ in how their response is framed (RFC 9112 section 6.3).
enum HTTP1RequestKind: Hashable, Sendable {
    /// Any method whose response may have content.
    case ordinary
    /// HEAD: never content, regardless of the fields.
    case head
    /// CONNECT: after a 2xx the connection is a tunnel.
    case connect
    /// A request that offered to switch protocols: after a 101 the connection is a tunnel.
    case upgrade
}

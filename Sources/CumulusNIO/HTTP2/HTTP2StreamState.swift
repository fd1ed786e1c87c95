// SPDX-License-Identifier: Apache-2.0

import NIOHPACK

/// One request and its response on an HTTP/2 connection (RFC 9113 sections 5.1 and 8.1): what may arrive, what may be
/// sent, and how much credit to return to the peer.
///
/// A state machine without I/O or clock.
struct HTTP2StreamState {
    /// The kind of a received field section.
    enum Section: Equatable {
        case informational(status: Int)
        /// The final head, with the length of the content if that is known.
        case head(status: Int, length: Int64?)
        case trailers
    }

    private enum Response {
        case awaitingHead
        /// The content; `remaining` bytes follow, if that is known.
        case content(remaining: Int64?)
        case ended
    }

    private let limits: HTTP2Limits
    private let isHead: Bool
    private var response = Response.awaitingHead
    private var informationalResponses = 0
    /// Bytes of content that this stream may send; negative after the peer lowered its setting.
    private(set) var sendWindow: Int
    /// The same, counted when NIOHTTP2 writes them.
    private var writtenWindow: Int
    /// Bytes that the peer may still send, as NIOHTTP2 counts them; `nil` before the first have arrived.
    private var receiveWindow: Int?
    /// Whether a frame of the response has arrived.
    private(set) var hasBegun = false
    /// Whether the request has been sent completely.
    private(set) var isRequestWhole = false

    init(isHead: Bool, sendWindow: Int, limits: HTTP2Limits = HTTP2Limits()) {
        self.isHead = isHead
        self.sendWindow = sendWindow
        writtenWindow = sendWindow
        self.limits = limits
    }

    /// Whether the response is complete.
    var hasEnded: Bool { if case .ended = response { true } else { false } }
    /// Whether the final head has arrived.
    var hasHead: Bool { if case .awaitingHead = response { false } else { true } }

    // MARK: Response

    /// Takes a field section.
    mutating func receive(_ fields: HPACKHeaders, endsStream: Bool) throws(HTTP2ProtocolError) -> Section {
        hasBegun = true
        if fields.count > limits.fields { throw .tooManyFields(limit: limits.fields) }
        for (name, value, _) in fields where !Self.isSound(value) { throw .malformedField(name) }
        guard case .awaitingHead = response else {
            guard endsStream else { throw .unendedTrailers }
            try end()
            return .trailers
        }
        let status = try Self.status(in: fields)
        if status < 200 {
            if status == 101 { throw .upgrade }
            if endsStream { throw .endedByInformational }
            informationalResponses += 1
            guard informationalResponses <= limits.informationalResponses else {
                throw .tooManyInformationalResponses(limit: limits.informationalResponses)
            }
            return .informational(status: status)
        }
        let hasNoContent = isHead || status == 204 || status == 304
        let length = hasNoContent ? 0 : try Self.contentLength(in: fields)
        response = .content(remaining: length)
        if endsStream { try end() }
        return .head(status: status, length: endsStream ? 0 : length)
    }

    /// Takes content.
    mutating func receive(_ count: Int, endsStream: Bool) throws(HTTP2ProtocolError) {
        hasBegun = true
        guard case .content(let remaining) = response else { throw .unexpectedContent }
        if let remaining {
            let left = remaining - Int64(count)
            if left < 0 { throw remaining == 0 ? .unexpectedContent : .wrongLength }
            response = .content(remaining: left)
        }
        if endsStream { try end() }
    }

    /// Records how much the peer may still send.
    mutating func noteReceiveWindow(_ remaining: Int) { receiveWindow = remaining }

    /// The window of all streams was changed.
    mutating func changeReceiveWindow(by delta: Int) {
        if let receiveWindow { self.receiveWindow = receiveWindow + delta }
    }

    /// The credit to return for a window of this size, if the consumer keeps up; `nil` while the peer has enough.
    func credit(ofWindow size: Int) -> Int? {
        guard let receiveWindow, !hasEnded, receiveWindow <= size / 2 else { return nil }
        return size - receiveWindow
    }

    private mutating func end() throws(HTTP2ProtocolError) {
        if case .content(let remaining?) = response, remaining > 0 { throw .wrongLength }
        response = .ended
    }

    private static func status(in fields: HPACKHeaders) throws(HTTP2ProtocolError) -> Int {
        guard let text = fields.first(name: ":status"), text.utf8.count == 3, let status = Int(text), status >= 100
        else { throw .malformedStatus }
        return status
    }

    /// Whether a value meets RFC 9113 section 8.2.1, and has no control characters, as in HTTP/1.1 (T-30).
    private static func isSound(_ value: String) -> Bool {
        // Through a buffer, since all fields of all responses are checked.
        value.utf8.withContiguousStorageIfAvailable(isSound) ?? Array(value.utf8).withUnsafeBufferPointer(isSound)
    }

    private static func isSound(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return true }
        guard HTTP1Syntax.firstNoFieldText(in: UnsafeRawBufferPointer(bytes)) == nil else { return false }
        return !HTTP1Syntax.isBlank(first) && !HTTP1Syntax.isBlank(last)
    }

    /// The stated length; NIOHTTP2 has refused invalid and conflicting ones.
    private static func contentLength(in fields: HPACKHeaders) throws(HTTP2ProtocolError) -> Int64? {
        guard let text = fields.first(name: "content-length") else { return nil }
        guard text.utf8.allSatisfy({ HTTP1Syntax.digit($0) != nil }), let length = Int64(text) else {
            throw .wrongLength
        }
        return length
    }

    // MARK: Request

    /// The peer accepts more bytes, or fewer if it lowered its setting.
    mutating func changeSendWindow(by delta: Int) throws(HTTP2ProtocolError) {
        if sendWindow + delta > HTTP2Limits.largestWindow { throw .windowTooLarge }
        sendWindow += delta
        writtenWindow += delta
    }

    /// Records the window that NIOHTTP2 has left after writing.
    mutating func noteWritten(window: Int) { writtenWindow = window }

    /// Bytes that are counted as sent and wait to be written.
    var unwritten: Int { max(0, writtenWindow - sendWindow) }

    /// How many of `count` bytes may be sent now, within the connection's window.
    func sendable(_ count: Int, connectionWindow: Int) -> Int {
        max(0, min(count, min(sendWindow, connectionWindow)))
    }

    /// Counts sent bytes.
    mutating func spend(_ count: Int) { sendWindow -= count }

    /// The request's last frame has been sent.
    mutating func endRequest() { isRequestWhole = true }
}

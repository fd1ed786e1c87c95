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
    private var informational: InformationalAllowance
    /// What this stream may send to the peer.
    var window: HTTP2SendWindow
    /// Bytes that the peer may still send, as NIOHTTP2 counts them; `nil` before the first have arrived.
    private var receiveWindow: Int?
    /// Whether a frame of the response has arrived.
    private(set) var hasBegun = false
    /// Consecutive frames of the response without content.
    private var emptyFrames = 0
    /// Whether the request's head has been written, and the whole request.
    private(set) var isRequestBegun = false
    private(set) var isRequestWhole = false

    init(isHead: Bool, sendWindow: Int, limits: HTTP2Limits = HTTP2Limits()) {
        self.isHead = isHead
        window = HTTP2SendWindow(sendWindow)
        self.limits = limits
        informational = InformationalAllowance(atOnce: limits.informationalResponses, bytes: limits.informationalBytes)
    }

    /// Whether the response is complete.
    var hasEnded: Bool { if case .ended = response { true } else { false } }
    /// Whether the final head has arrived.
    var hasHead: Bool { if case .awaitingHead = response { false } else { true } }

    // MARK: Response

    /// Notes what pays for informational responses: the bytes sent for the request, and the time since it began here.
    mutating func noteProgress(sent: Int64, after elapsed: Duration) { informational.earn(sent: sent, after: elapsed) }

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
            guard informational.take(Int(fields.approximateSize)) else {
                throw informational.isTooLarge
                    ? .informationalResponsesTooLarge(limit: limits.informationalBytes)
                    : .tooManyInformationalResponses(limit: informational.limit)
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
        if count > 0 { emptyFrames = 0 }
        if let remaining {
            let left = remaining - Int64(count)
            if left < 0 { throw remaining == 0 ? .unexpectedContent : .wrongLength }
            response = .content(remaining: left)
        }
        if endsStream { try end() }
    }

    /// Counts a frame without content that doesn't end the response; false if there are many in a row.
    mutating func allowsEmptyFrame() -> Bool {
        emptyFrames += 1
        return emptyFrames <= limits.emptyDataFrames
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

    /// Whether a value meets RFC 9113 section 8.2.1, and has no control characters, as in HTTP/1.1.
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

    /// The least that is worth a frame in the middle of a body: a quarter of the default window, which is a byte less
    /// than four frames.
    private static let worthwhile = 16_383

    /// How many of the waiting bytes to send now.
    ///
    /// Some servers take small frames for an attack, unless they are the end: the rest waits for a full frame, or at
    /// least half of a small window, and the last frame for the news that it is the last.
    ///
    /// - Parameters:
    ///   - waiting: The bytes that are ready.
    ///   - ends: Whether nothing follows them.
    ///   - isLate: Whether they have waited for long enough.
    ///   - connection: The connection's window.
    /// - Returns: The number of bytes; zero if it is better to wait.
    func sendable(_ waiting: Int, ends: Bool, isLate: Bool = false, connection: HTTP2SendWindow) -> Int {
        let room = max(0, min(waiting, window.free, connection.free))
        if isLate || ends && room == waiting { return room }
        let largest = min(window.largest, connection.largest)
        let half = largest / 2
        let frame = max(1, min(HTTP2LargeHead.frameSize, largest))
        // The last frame's worth may be the end.
        var count = ends ? room : min(room, max(0, waiting - 1) / frame * frame)
        if count > frame { count -= count % frame }
        return count >= min(Self.worthwhile, max(1, half)) ? count : 0
    }

    /// Whether the windows hold waiting bytes back, rather than the source.
    func isBlocked(_ waiting: Int, connection: HTTP2SendWindow) -> Bool {
        waiting > min(window.free, connection.free)
    }

    /// The request's head was written.
    mutating func beginRequest() { isRequestBegun = true }

    /// The request's last frame was written.
    mutating func endRequest() { isRequestWhole = true }
}

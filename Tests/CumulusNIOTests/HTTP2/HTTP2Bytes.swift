// SPDX-License-Identifier: Apache-2.0

/// A received frame, and the bytes of frames to send, valid or invalid (RFC 9113 section 4.1).
struct HTTP2Bytes: Sendable {
    var type: UInt8
    var flags: UInt8 = 0
    var stream = 0
    var payload: [UInt8] = []

    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let pingType: UInt8 = 6
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8

    /// Instead of an answer: the end of the connection.
    static let end: [UInt8] = [0]

    /// The frame's bytes.
    var bytes: [UInt8] {
        let length = UInt32(payload.count)
        let head = [UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), type, flags]
        return head + Self.big(UInt32(stream)) + payload
    }

    /// Whether it is the request's head.
    var isRequest: Bool { type == Self.headers }
    /// Whether it is the peer's settings, its first frame.
    var isSettings: Bool { type == Self.settings && flags == 0 }
    /// The first four bytes of its payload: an error code, or an increment.
    var number: UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

    static func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xff) } }

    static func settings(_ values: [(UInt16, UInt32)] = []) -> [UInt8] {
        let payload = values.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xff)] + big($0.1) }
        return Self(type: 4, payload: payload).bytes
    }

    /// A field section: `0x88` is `:status: 200` in the static table (RFC 7541 appendix A).
    static func headers(_ stream: Int, _ block: [UInt8] = [0x88], ends: Bool = false, whole: Bool = true) -> [UInt8] {
        Self(type: 1, flags: (ends ? 1 : 0) | (whole ? 4 : 0), stream: stream, payload: block).bytes
    }

    static func continuation(_ stream: Int, _ block: [UInt8], whole: Bool = false) -> [UInt8] {
        Self(type: 9, flags: whole ? 4 : 0, stream: stream, payload: block).bytes
    }

    static func data(_ stream: Int, _ text: String = "", ends: Bool = false) -> [UInt8] {
        Self(type: 0, flags: ends ? 1 : 0, stream: stream, payload: Array(text.utf8)).bytes
    }

    static func reset(_ stream: Int, _ code: UInt32) -> [UInt8] {
        Self(type: 3, stream: stream, payload: big(code)).bytes
    }

    static func goAway(_ last: Int, _ code: UInt32 = 0) -> [UInt8] {
        Self(type: 7, payload: big(UInt32(last)) + big(code)).bytes
    }

    static func ping() -> [UInt8] { Self(type: 6, payload: [UInt8](repeating: 7, count: 8)).bytes }

    /// The answer to a PING.
    var pong: [UInt8] { Self(type: Self.pingType, flags: 1, payload: payload).bytes }
    /// Whether it is a PING to be answered.
    var isPing: Bool { type == Self.pingType && flags == 0 }

    static func windowUpdate(_ stream: Int, _ increment: UInt32) -> [UInt8] {
        Self(type: 8, stream: stream, payload: big(increment)).bytes
    }

    static func pushPromise(_ stream: Int, promised: UInt32, _ block: [UInt8]) -> [UInt8] {
        Self(type: 5, flags: 4, stream: stream, payload: big(promised) + block).bytes
    }

    /// A literal field that is not put into a table; short names and values only.
    static func field(_ name: String, _ value: String) -> [UInt8] {
        [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    /// A complete response of 200 with a text.
    static func answer(_ stream: Int, _ text: String) -> [UInt8] {
        headers(stream) + data(stream, text, ends: true)
    }
}

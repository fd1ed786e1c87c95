// SPDX-License-Identifier: Apache-2.0

/// Enforces the declared length of a streamed body.
struct HTTP2BodyMeter {
    private let declared: Int64?
    private var sent: Int64 = 0

    init(declared: Int64?) {
        self.declared = declared
    }

    /// Whether everything declared was counted; false if no length was declared.
    var isWhole: Bool { sent == declared }

    /// Counts a piece before it is sent.
    mutating func add(_ count: Int) throws(HTTP1RequestError) {
        if let declared, Int64(count) > declared - sent { throw .bodyTooLong(declared: declared) }
        sent += Int64(count)
    }

    /// Checks the end.
    func end() throws(HTTP1RequestError) {
        if let declared, sent < declared { throw .bodyTooShort(declared: declared, missing: declared - sent) }
    }
}

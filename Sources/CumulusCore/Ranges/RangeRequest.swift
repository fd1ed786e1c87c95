// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The bytes that a request of a download is for: the whole, or a range of a file with a known state.
struct RangeRequest: Sendable, Hashable {
    /// The first byte.
    var start: Int64 = 0
    /// The end of the range, exclusive; `nil` for the file's end.
    var end: Int64?
    /// Whether a range is requested at all.
    var isRanged = false
    /// The state that the bytes must have; `nil` for any.
    var known: RemoteState?
    /// Whether `If-Range` is sent.
    var isConditional = true
    /// Whether a response has been received before, so that an earlier response or an earlier run has identified the
    /// file.
    var isContinued = false
    /// Whether a digest verifies at the end that all bytes have one state, so that responses need not identify it.
    var isCovered = false

    /// The whole file, in any state.
    static let whole = RangeRequest()

    /// Whether a success other than 200, 203 and 206 contains the file, as 201 or 207 may.
    var acceptsAnySuccess: Bool { !isRanged && !isContinued && known == nil }

    /// `Range` (RFC 9110 section 14.2); `nil` for the whole.
    var range: String? { isRanged ? "bytes=\(start)-\(end.map { "\($0 - 1)" } ?? "")" : nil }

    /// The content codings that the bytes must have.
    var codings: [String] { known?.codings ?? [] }

    /// The value of `If-Range` (RFC 9110 section 13.1.5).
    var condition: FieldText? {
        isRanged && isConditional ? (known?.condition).map { FieldText(latin1: $0) } : nil
    }

    /// Sets `Range` and `If-Range` in a request's fields.
    func add(to headers: inout HTTPFields) {
        if let range { headers[.range] = range }
        if let condition { headers[fields: .ifRange] = [HTTPField(name: .ifRange, condition)] }
    }
}

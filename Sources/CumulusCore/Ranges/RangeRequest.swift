// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The bytes that a request of a download asks for: the whole, or a range of a file with a known state.
struct RangeRequest: Sendable, Hashable {
    /// The first wanted byte.
    var start: Int64 = 0
    /// The end of the range, exclusive; `nil` for the file's end.
    var end: Int64?
    /// Whether a range is requested at all.
    var isRanged = false
    /// The state that the bytes must be from; `nil` for any.
    var known: RemoteState?
    /// Whether `If-Range` is sent.
    var isConditional = true
    /// Whether a response has been received before: an earlier status or an earlier run has identified the file.
    var isContinued = false
    /// Whether a digest verifies in the end that all bytes are of one state, so that a response needn't prove it.
    var isCovered = false

    /// The whole, in any state.
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

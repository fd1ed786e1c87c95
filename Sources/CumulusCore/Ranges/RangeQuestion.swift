// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The bytes that a request of a download asks for: the whole, or a range of a file with a known state.
struct RangeQuestion: Sendable, Hashable {
    /// The first wanted byte.
    var start: Int64 = 0
    /// The end of the range, exclusive; `nil` for the file's end.
    var end: Int64?
    /// Whether a range is requested at all.
    var isRanged = false
    /// The state that the bytes must be from; `nil` for any.
    var known: RemoteState?
    /// The content codings that the bytes have, as sent.
    var codings: [String] = []
    /// Whether `If-Range` is sent.
    var isConditional = true
    /// Whether a digest verifies in the end that all bytes are of one state, so that a response needn't prove it.
    var isCovered = false

    /// The whole, in any state.
    static let whole = RangeQuestion()

    /// `Range` (RFC 9110 section 14.2); `nil` for the whole.
    var range: String? { isRanged ? "bytes=\(start)-\(end.map { "\($0 - 1)" } ?? "")" : nil }

    /// `If-Range` (RFC 9110 section 13.1.5).
    var condition: String? { isRanged && isConditional ? known?.condition : nil }
}

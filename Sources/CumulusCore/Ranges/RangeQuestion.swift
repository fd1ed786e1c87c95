// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What a request of a download asks for: the whole, or a range of a file that is known by something.
struct RangeQuestion: Sendable, Hashable {
    /// The first byte wanted.
    var start: Int64 = 0
    /// Where the range ends, exclusive; `nil` is the file's end.
    var end: Int64?
    /// Whether a range is asked for at all.
    var isRanged = false
    /// Of which state the bytes must be; `nil` if any will do.
    var known: RemoteState?
    /// Whether `If-Range` is sent along.
    var isConditional = true
    /// Whether a digest will tell at the end if all bytes are of one state, so that an answer needn't prove it.
    var isCovered = false

    /// The whole, of whatever state.
    static let whole = RangeQuestion()

    /// `Range` (RFC 9110 section 14.2); `nil` for the whole.
    var range: String? { isRanged ? "bytes=\(start)-\(end.map { "\($0 - 1)" } ?? "")" : nil }

    /// `If-Range` (RFC 9110 section 13.1.5).
    var condition: String? { isRanged && isConditional ? known?.condition : nil }
}

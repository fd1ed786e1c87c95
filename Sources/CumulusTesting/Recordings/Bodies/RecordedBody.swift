// SPDX-License-Identifier: Apache-2.0

/// A body as a recording contains it: decoded, and without secrets.
enum RecordedBody: Sendable, Hashable {
    case empty
    case text(String)
    case binary([UInt8])
    /// A file in the recording's folder.
    case file(name: String, length: Int64)
    /// No bytes, for this reason.
    case omitted(String)

    /// The bytes in the recording's file; `nil` if they are not there.
    var bytes: [UInt8]? {
        switch self {
        case .empty: []
        case .text(let text): Array(text.utf8)
        case .binary(let bytes): bytes
        case .file, .omitted: nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The limits for every response, from any peer.
struct HTTP1Limits: Sendable {
    /// The size of a status line with its fields, and of a trailer section.
    var headBytes = 256 * 1024
    /// The lines of a header section or a trailer section.
    var headLines = 5_000
    /// The 1xx responses before the final one that need not be paid for, and their bytes.
    var informationalResponses = 2_000
    var informationalBytes = 256 * 1024
    /// The size of one chunk-size line with its extensions.
    var chunkLineBytes = 4 * 1024
    /// The chunk framing of a whole body, in addition to what its content accounts for.
    var chunkOverheadBytes = 16 * 1024
}
